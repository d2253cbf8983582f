import { useState } from 'react'
import {
  putTelegram,
  unlinkTelegram,
  type NoticeMute,
  type TelegramLink,
} from '@karvon/contract/notices/notices.ts'
import { Button } from '../../components/actions/button.tsx'
import { Checkbox } from '../../components/fields/checkbox.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { send } from '../../lib/http.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { LazyPasswordDialog } from '../../resources/password-dialog.lazy.tsx'
import classes from './telegram.module.css'
import { useTelegramChange, useTelegramUpdate } from './telegram.query.ts'
import { telegramTexts as texts } from './telegram.texts.ts'

const kinds = ['problems', 'delivered', 'money', 'alerts', 'digest'] as const
type NoticeChoice = Partial<Record<(typeof kinds)[number], boolean>> & { mute?: NoticeMute }

/** The kinds of notices that the linked chat gets, and a button that unlinks it. */
export function TelegramChoices({ link }: { link: TelegramLink }) {
  const toasts = useToasts()
  const showChange = useTelegramUpdate()
  const [isUnlinkOpen, setIsUnlinkOpen] = useState(false)
  const choice = useTelegramChange((body: NoticeChoice) => send(putTelegram, { body }), texts.saveFailed)
  const unlink = async (body: { current_password: string }) => {
    await showChange(send(unlinkTelegram, { body }))
    toasts.show({ title: texts.unlinked })
  }
  return (
    <>
      {link.muted && <Muted until={link.muted_until} onUnmute={() => choice.mutate({ mute: 'off' })} />}
      <fieldset className={classes.choices}>
        <legend className="visually-hidden">{texts.choices}</legend>
        {kinds.map((kind) => (
          <Checkbox
            key={kind}
            label={texts[kind]}
            checked={link[kind]}
            onChange={(isChosen) => choice.mutate({ [kind]: isChosen })}
          />
        ))}
      </fieldset>
      <div>
        <Button onClick={() => setIsUnlinkOpen(true)}>{texts.unlink}</Button>
      </div>
      <LazyPasswordDialog
        prompt={
          isUnlinkOpen
            ? {
                title: texts.confirmUnlink,
                text: texts.unlinkReason,
                submitLabel: texts.unlink,
                onConfirm: unlink,
              }
            : null
        }
        onClose={() => setIsUnlinkOpen(false)}
      />
    </>
  )
}

/** Says until when the bot sends no notices, and turns them on. */
function Muted({ until, onUnmute }: { until: string | null; onUnmute: () => void }) {
  const { time_zone: zone } = useSettings()
  return (
    <div className={classes.row}>
      <p className={classes.words}>
        {until === null ? texts.muted : texts.mutedUntil({ time: formatDateTime(until, zone) })}
      </p>
      <Button onClick={onUnmute}>{texts.unmute}</Button>
    </div>
  )
}
