import { useState } from 'react'
import { linkTelegram, type TelegramLink } from '@karvon/contract/notices/notices.ts'
import { Button } from '../../components/actions/button.tsx'
import { useCopy } from '../../components/copy.hook.ts'
import { send } from '../../lib/http.ts'
import { formatMoment } from '../../lib/format/moment.format.ts'
import { PasswordDialog } from '../../resources/password-dialog.tsx'
import { useSettings } from '../../lib/settings.store.ts'
import classes from './telegram.module.css'
import { useTelegramShown } from './telegram.query.ts'
import { telegramTexts as texts } from './telegram.texts.ts'

/** Asks for a code, and shows the one that the bot is to be sent. */
export function TelegramCode({ of }: { of: TelegramLink }) {
  const show = useTelegramShown()
  const [asked, setAsked] = useState(false)
  const { code, code_until: until, bot } = of
  const [had, setHad] = useState(false)
  if (code !== null && !had) setHad(true)
  return (
    <>
      <p className={classes.words}>{texts.what}</p>
      {code !== null && until !== null && <Code code={code} until={until} bot={bot} />}
      {code === null && had && (
        <p role="status" className={classes.words}>
          {texts.over}
        </p>
      )}
      <div>
        <Button tone={code === null ? 'primary' : 'plain'} onClick={() => setAsked(true)}>
          {code === null ? texts.get : texts.another}
        </Button>
      </div>
      <PasswordDialog
        asked={
          asked
            ? {
                title: texts.get,
                words: texts.getReason,
                submitLabel: texts.continue,
                work: (body) => show(send(linkTelegram, { body })),
              }
            : null
        }
        onClose={() => setAsked(false)}
      />
    </>
  )
}

function Code({ code, until, bot }: { code: string; until: string; bot: string | null }) {
  const { time_zone: zone } = useSettings()
  const { shown, copy } = useCopy<HTMLElement>(texts)
  return (
    <div className={classes.code}>
      {bot !== null && (
        <a href={`https://t.me/${encodeURIComponent(bot)}?start=${code}`} target="_blank" rel="noreferrer">
          {texts.open(bot)}
        </a>
      )}
      <p className={classes.words}>{bot === null ? texts.send : texts.opened}</p>
      <div className={classes.row}>
        <code ref={shown} className="mono">
          {code}
        </code>
        <Button onClick={() => void copy(code)}>{texts.copy}</Button>
      </div>
      <p role="status" className={classes.words}>
        {texts.until(formatMoment(until, zone).split(' ')[1] ?? until)}
      </p>
    </div>
  )
}
