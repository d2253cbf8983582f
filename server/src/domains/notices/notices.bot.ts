import type { BotUpdate, Telegram } from '../../integrations/telegram/telegram.ts'
import { TelegramError } from '../../integrations/telegram/telegram.error.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { readNextUpdate, saveNextUpdate } from './notices.bot.queries.ts'
import { linkChat, unlinkChat } from './notices.link.queries.ts'

/** Seconds that Telegram holds a getUpdates request open while there is no update. */
const longPollSeconds = 25
/** Maximum time to send a reply, in milliseconds. */
const replyTimeout = 10_000

/** The job that reads messages to the bot and replies. Only one process runs it: Telegram delivers each update once. */
export function botJob(
  { db, log }: Deps,
  { telegram, bot, wait = longPollSeconds }: { telegram: Telegram; bot: string; wait?: number | undefined },
): Job {
  return {
    name: 'telegram-bot',
    interval: 30_000,
    timeout: 60_000,
    isExclusive: true,
    async run(signal) {
      try {
        const { next, items } = await telegram.updates(await readNextUpdate(db, bot), wait, signal)
        for (const update of items) {
          const reply = await inTransaction(db, async (trx) => {
            await saveNextUpdate(trx, bot, update.id + 1)
            return handleMessage(trx, update)
          })
          // A lost reply is not sent again: the person can repeat the message.
          if (reply !== null)
            await telegram.sendMessage(update.chat, reply, AbortSignal.timeout(replyTimeout)).catch(() => {})
        }
        await saveNextUpdate(db, bot, next)
        return { more: true }
      } catch (error) {
        if (!(error instanceof TelegramError)) throw error
        if (!signal.aborted) log.warn({ reason: error.message }, 'Could not read the updates of the bot')
        return
      }
    },
  }
}

/** Handles a message and answers the reply, in the language of the parcels page. Groups get no reply and no link. */
async function handleMessage(db: Db, { isPrivate, chat, text }: BotUpdate): Promise<string | null> {
  if (!isPrivate) return null
  const message = text.trim()
  if (/^\/stop\b/i.test(message)) {
    return (await unlinkChat(db, chat))
      ? 'Уведомления отключены. Чтобы включить их снова, получите новый код в профиле.'
      : 'Уведомления не были включены.'
  }
  const [, code] = /^(?:\/start\s+)?([a-z\d]{8,16})$/i.exec(message) ?? []
  if (code === undefined)
    return 'Отправьте код из профиля Karvon, чтобы получать уведомления. Отключить: /stop'
  const name = await linkChat(db, code, chat)
  return name === null
    ? 'Код не подходит или устарел. Получите новый код в профиле.'
    : `Уведомления включены: ${name}. Отключить: /stop`
}
