import { putTelegram, unlinkTelegram, type TelegramLink } from '@karvon/contract/notices/notices.ts'
import { Button } from '../ui/actions/button.tsx'
import { Checkbox } from '../ui/fields/checkbox.tsx'
import { useDialogs } from '../ui/overlay/dialogs.tsx'
import { useToasts } from '../ui/overlay/toasts.tsx'
import { send } from '../kit/http.ts'
import { useKeptFocus } from '../kit/kept-focus.hook.ts'
import classes from './telegram.module.css'
import { useTelegramChange } from './telegram.query.ts'
import { telegramTexts as texts } from './telegram.texts.ts'

const kinds = ['problems', 'delivered', 'digest'] as const
type Choice = Partial<Record<(typeof kinds)[number], boolean>>

/** What the linked chat is told, and its end. */
export function TelegramChoices({ of }: { of: TelegramLink }) {
  const toasts = useToasts()
  const dialogs = useDialogs()
  const choice = useTelegramChange((body: Choice) => send(putTelegram, { body }), texts.saveFailed)
  const unlinking = useTelegramChange(
    () => send(unlinkTelegram),
    texts.unlinkFailed,
    () => toasts.show({ title: texts.unlinked }),
  )
  const button = useKeptFocus(unlinking.isPending)
  // As chosen, while the answer is on its way.
  const shown = { ...of, ...(choice.isPending && choice.variables) }
  const unlink = async () => {
    const options = { danger: true, confirmLabel: texts.unlink, reason: texts.unlinkReason }
    if (await dialogs.confirm(texts.confirmUnlink, options)) unlinking.mutate()
  }
  return (
    <>
      <fieldset className={classes.choices}>
        <legend className="visually-hidden">{texts.choices}</legend>
        {kinds.map((kind) => (
          <Checkbox
            key={kind}
            label={texts[kind]}
            checked={shown[kind]}
            onChange={(chosen) => choice.mutate({ [kind]: chosen })}
          />
        ))}
      </fieldset>
      <div>
        <Button
          ref={button}
          loading={unlinking.isPending}
          loadingText={texts.unlinking}
          onClick={() => void unlink()}
        >
          {texts.unlink}
        </Button>
      </div>
    </>
  )
}
