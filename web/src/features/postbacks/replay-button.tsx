import { useMutation, useQueryClient } from '@tanstack/react-query'
import { replayPostback, type Postback } from '@karvon/contract/postbacks/postbacks.ts'
import { Button } from '../../components/actions/button.tsx'
import { RefreshIcon } from '../../components/actions/icons.tsx'
import { speak } from '../../lib/i18n/language.ts'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import classes from '../../lib/cells.module.css'
import { reasonOf, send } from '../../lib/http.ts'
import { useKeptFocus } from '../../components/kept-focus.hook.ts'
import { postbackTexts as texts } from './postbacks.texts.ts'

// What no fix of the desk's can mend: nobody is asked to try it again.
const final: readonly (string | null)[] = ['bad_secret', 'bad_value', 'malformed']

export const canReplay = ({ reason }: Postback): boolean => !final.includes(reason)

type ReplayButtonProps = {
  of: Postback
  /** As low as a row of a table. */
  inRow?: boolean
  onReplayed?: (now: Postback) => void
}

/** Takes a postback once more, after what it met was mended. */
export function ReplayButton({ of, inRow = false, onReplayed }: ReplayButtonProps) {
  const client = useQueryClient()
  const toasts = useToasts()
  const dialogs = useDialogs()
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(replayPostback, { params: { id: of.id } }),
    onSuccess: async (now) => {
      onReplayed?.(now)
      const refused = now.outcome === 'refused'
      toasts.show({
        title: texts.replayed(now.outcome),
        ...(now.detail !== null && { text: speak(now.detail) }),
        ...(refused && { tone: 'danger' }),
      })
      await Promise.all(
        ['postbacks', 'leads', 'report'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      )
    },
    onError: (error) => dialogs.alert(texts.replayFailed, reasonOf(error)),
  })
  const button = useKeptFocus(isPending)
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
      <span className="visually-hidden">{of.external_id ?? of.id}</span>
    </Button>
  )
}
