import { useState } from 'react'
import { putTelegram, unlinkTelegram, type TelegramLink } from '@karvon/contract/notices/notices.ts'
import { Button } from '../../components/actions/button.tsx'
import { Checkbox } from '../../components/fields/checkbox.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { send } from '../../lib/http.ts'
import { PasswordDialog } from '../../resources/password-dialog.tsx'
import classes from './telegram.module.css'
import { useTelegramChange, useTelegramShown } from './telegram.query.ts'
import { telegramTexts as texts } from './telegram.texts.ts'

const kinds = ['problems', 'delivered', 'digest'] as const
type Choice = Partial<Record<(typeof kinds)[number], boolean>>

/** What the linked chat is told, and its end. */
export function TelegramChoices({ of }: { of: TelegramLink }) {
  const toasts = useToasts()
  const show = useTelegramShown()
  const [asked, setAsked] = useState(false)
  const choice = useTelegramChange((body: Choice) => send(putTelegram, { body }), texts.saveFailed)
  // As chosen, while the answer is on its way.
  const shown = { ...of, ...(choice.isPending && choice.variables) }
  const unlink = async (body: { current_password: string }) => {
    await show(send(unlinkTelegram, { body }))
    toasts.show({ title: texts.unlinked })
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
        <Button onClick={() => setAsked(true)}>{texts.unlink}</Button>
      </div>
      <PasswordDialog
        asked={
          asked
            ? {
                title: texts.confirmUnlink,
                words: texts.unlinkReason,
                submitLabel: texts.unlink,
                work: unlink,
              }
            : null
        }
        onClose={() => setAsked(false)}
      />
    </>
  )
}
