import { useMutation, useQueryClient } from '@tanstack/react-query'
import { replayPostback, type Postback } from '@karvon/contract/postbacks/postbacks.ts'
import { Button } from '../../components/actions/button.tsx'
import { RefreshIcon } from '../../components/actions/icons.tsx'
import { translate } from '../../lib/i18n/language.ts'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import classes from '../../lib/cells.module.css'
import { getErrorMessage, send } from '../../lib/http.ts'
import { useFocusAfterBusy } from '../../components/focus-after-busy.hook.ts'
import { postbackTexts as texts } from './postbacks.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

// Reasons that no change in Karvon can fix. Such a postback has no replay button.
const finalReasons: readonly (string | null)[] = ['bad_secret', 'bad_value', 'malformed']

export const canReplay = ({ reason }: Postback): boolean => !finalReasons.includes(reason)

type ReplayButtonProps = {
  postback: Postback
  /** Makes the button as low as a table row. */
  inRow?: boolean
  onReplay?: (updated: Postback) => void
}

/** Processes a postback again after its cause was fixed. */
export function ReplayButton({ postback, inRow = false, onReplay }: ReplayButtonProps) {
  const client = useQueryClient()
  const toasts = useToasts()
  const dialogs = useDialogs()
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(replayPostback, { params: { id: postback.id } }),
    onSuccess: async (updated) => {
      onReplay?.(updated)
      const isRefused = updated.outcome === 'refused'
      toasts.show({
        title: texts.replayed(updated.outcome),
        ...(updated.detail !== null && { text: translate(updated.detail) }),
        ...(isRefused && { tone: 'danger' }),
      })
      await Promise.all(
        [queryKeys.postbacks, queryKeys.leads, queryKeys.reports].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      )
    },
    onError: (error) => dialogs.alert(texts.replayFailed, getErrorMessage(error)),
  })
  const button = useFocusAfterBusy(isPending)
  return (
    <Button
      ref={button}
      {...(inRow && { className: classes.inRow })}
      icon={<RefreshIcon size={15} />}
      loading={isPending}
      loadingText={texts.replaying}
      onClick={() => mutate()}
    >
      {texts.replay}
      <span className="visually-hidden">{postback.external_id ?? postback.id}</span>
    </Button>
  )
}
