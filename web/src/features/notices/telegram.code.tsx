import { useState } from 'react'
import { linkTelegram, type TelegramLink } from '@karvon/contract/notices/notices.ts'
import { Button } from '../../components/actions/button.tsx'
import { useCopy } from '../../components/copy.hook.ts'
import { send } from '../../lib/http.ts'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { LazyPasswordDialog } from '../../resources/password-dialog.lazy.tsx'
import { useSettings } from '../../lib/settings.store.ts'
import classes from './telegram.module.css'
import { useTelegramUpdate } from './telegram.query.ts'
import { telegramTexts as texts } from './telegram.texts.ts'

/** Requests a link code and shows the code to send to the bot. */
export function TelegramCode({ link }: { link: TelegramLink }) {
  const showChange = useTelegramUpdate()
  const [isPromptOpen, setIsPromptOpen] = useState(false)
  const { code, code_until: until, bot } = link
  const [hadCode, setHadCode] = useState(false)
  if (code !== null && !hadCode) setHadCode(true)
  return (
    <>
      <p className={classes.words}>{texts.what}</p>
      {code !== null && until !== null && <Code code={code} until={until} bot={bot} />}
      {code === null && hadCode && (
        <p role="status" className={classes.words}>
          {texts.over}
        </p>
      )}
      <div>
        <Button tone={code === null ? 'primary' : 'plain'} onClick={() => setIsPromptOpen(true)}>
          {code === null ? texts.get : texts.another}
        </Button>
      </div>
      <LazyPasswordDialog
        prompt={
          isPromptOpen
            ? {
                title: texts.get,
                text: texts.getReason,
                submitLabel: texts.continue,
                onConfirm: (body) => showChange(send(linkTelegram, { body })),
              }
            : null
        }
        onClose={() => setIsPromptOpen(false)}
      />
    </>
  )
}

function Code({ code, until, bot }: { code: string; until: string; bot: string | null }) {
  const { time_zone: zone } = useSettings()
  const { textRef, copy } = useCopy<HTMLElement>(texts)
  return (
    <div className={classes.code}>
      {bot !== null && (
        <a href={`https://t.me/${encodeURIComponent(bot)}?start=${code}`} target="_blank" rel="noreferrer">
          {texts.open({ bot })}
        </a>
      )}
      <p className={classes.words}>{bot === null ? texts.send : texts.opened}</p>
      <div className={classes.row}>
        <code ref={textRef} className="mono">
          {code}
        </code>
        <Button onClick={() => void copy(code)}>{texts.copy}</Button>
      </div>
      <p role="status" className={classes.words}>
        {texts.until({ time: formatDateTime(until, zone).split(' ')[1] ?? until })}
      </p>
    </div>
  )
}
