import { useQueryClient } from '@tanstack/react-query'
import { endSession, endSessionsOfPerson, type ActiveSession } from '@karvon/contract/sessions/sessions.ts'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { send } from '../../lib/http.ts'
import { ActionButton } from '../../resources/action-button.tsx'
import { clearSession, useSession } from '../../lib/session.store.ts'
import classes from './sessions.module.css'
import { sessionsTexts as texts } from './sessions.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/**
 * Ends the session of the row, or all sessions of its person. An admin ends other sessions of their own in the
 * profile, with the password.
 */
export function EndButtons({ session }: { session: ActiveSession }) {
  const isOwn = useSession()?.user?.id === session.user_id
  if (isOwn && !session.current) return null
  return (
    <div className={classes.buttons}>
      <EndButton
        label={texts.end}
        hiddenText={texts.one({ who: session.username })}
        question={texts.confirmEnd({ who: session.username })}
        isOwn={session.current}
        failureText={texts.endFailed}
        onConfirm={async () => {
          await send(endSession, { params: { id: session.id } })
          return texts.ended
        }}
      />
      {!isOwn && (
        <EndButton
          label={texts.endAll}
          hiddenText={texts.all({ who: session.username })}
          question={texts.confirmEndAll({ who: session.username })}
          isOwn={false}
          failureText={texts.endAllFailed}
          onConfirm={async () => {
            const { ended } = await send(endSessionsOfPerson, { params: { id: session.user_id } })
            return texts.endedAll({ count: ended })
          }}
        />
      )}
    </div>
  )
}

type EndButtonProps = {
  label: string
  hiddenText: string
  question: string
  /** Whether the button ends the session of this browser. */
  isOwn: boolean
  failureText: string
  /** Returns the text of the toast. */
  onConfirm: () => Promise<string>
}

function EndButton({ label, hiddenText, question, isOwn, failureText, onConfirm }: EndButtonProps) {
  const client = useQueryClient()
  const toasts = useToasts()
  return (
    <ActionButton
      label={label}
      loadingText={texts.ending}
      failureText={failureText}
      name={hiddenText}
      inRow
      question={{ text: question, reason: isOwn ? texts.endsOwn : texts.consequence, danger: true }}
      run={onConfirm}
      onSuccess={async (toastTitle) => {
        if (isOwn) return clearSession()
        toasts.show({ title: toastTitle })
        await client.invalidateQueries({ queryKey: queryKeys.sessions })
      }}
    />
  )
}
