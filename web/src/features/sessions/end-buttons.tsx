import { useMutation, useQueryClient } from '@tanstack/react-query'
import { endSession, endSessionsOfPerson, type SignedIn } from '@karvon/contract/sessions/sessions.ts'
import { Button } from '../../components/actions/button.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import cells from '../../lib/cells.module.css'
import { reasonOf, send } from '../../lib/http.ts'
import { useKeptFocus } from '../../components/kept-focus.hook.ts'
import { clearSession, useSession } from '../../lib/session.store.ts'
import classes from './sessions.module.css'
import { sessionsTexts as texts } from './sessions.texts.ts'

/** Ends the row's session, or all of its person. One's own others are ended in the profile, with the password. */
export function EndButtons({ of }: { of: SignedIn }) {
  const own = useSession()?.user?.id === of.user_id
  return (
    <div className={classes.buttons}>
      {(of.current || !own) && (
        <EndButton
          label={texts.end}
          besides={texts.one(of.username)}
          question={texts.confirmEnd(of.username)}
          own={of.current}
          failed={texts.endFailed}
          work={async () => {
            await send(endSession, { params: { id: of.id } })
            return texts.ended
          }}
        />
      )}
      {!own && (
        <EndButton
          label={texts.endAll}
          besides={texts.all(of.username)}
          question={texts.confirmEndAll(of.username)}
          own={false}
          failed={texts.endAllFailed}
          work={async () => {
            const { ended } = await send(endSessionsOfPerson, { params: { id: of.user_id } })
            return texts.endedAll(ended)
          }}
        />
      )}
    </div>
  )
}

type EndButtonProps = {
  label: string
  besides: string
  question: string
  /** Whether it ends the session that asks for it. */
  own: boolean
  failed: string
  /** Answers what is said of it. */
  work: () => Promise<string>
}

function EndButton({ label, besides, question, own, failed, work }: EndButtonProps) {
  const client = useQueryClient()
  const dialogs = useDialogs()
  const toasts = useToasts()
  const { mutate, isPending } = useMutation({
    mutationFn: work,
    onSuccess: async (said) => {
      if (own) return clearSession()
      toasts.show({ title: said })
      await client.invalidateQueries({ queryKey: ['signed-in'] })
    },
    onError: (error) => dialogs.alert(failed, reasonOf(error)),
  })
  const button = useKeptFocus(isPending)
  const ask = async () => {
    const reason = own ? texts.endsOwn : texts.consequence
    if (await dialogs.confirm(question, { danger: true, confirmLabel: label, reason })) mutate()
  }
  return (
    <Button
      ref={button}
      className={cells.inRow}
      loading={isPending}
      loadingText={texts.ending}
      onClick={() => void ask()}
    >
      {label}
      <span className="visually-hidden">{besides}</span>
    </Button>
  )
}
