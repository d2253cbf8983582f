import type { BotUpdate, Telegram } from '../../integrations/telegram/telegram.ts'
import { TelegramError } from '../../integrations/telegram/telegram.error.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { linkChat, unlinkChat } from './notices.link.ts'

/** Seconds that Telegram keeps the question open while nobody writes. */
const polling = 25
/** Milliseconds for a reply. */
const patience = 10_000

/** Reads what people write to the bot, and answers. One process at a time: Telegram tells each message to one alone. */
export function botJob({ db, log }: Deps, telegram: Telegram, bot: string, wait = polling): Job {
  return {
    name: 'telegram-bot',
    every: 30_000,
    timeout: 60_000,
    alone: true,
    async run(signal) {
      try {
        const { next, items } = await telegram.updates(await nextUpdate(db, bot), wait, signal)
        for (const update of items) {
          const reply = await inTransaction(db, async (trx) => {
            await noteUpdate(trx, bot, update.id + 1)
            return answer(trx, update)
          })
          // A reply that is lost is asked for again by who misses it.
          if (reply !== null)
            await telegram.sendMessage(update.chat, reply, AbortSignal.timeout(patience)).catch(() => {})
        }
        await noteUpdate(db, bot, next)
        return { more: true }
      } catch (error) {
        if (!(error instanceof TelegramError)) throw error
        if (!signal.aborted) log.warn({ reason: error.message }, 'What people write to the bot was not read')
        return
      }
    },
  }
}

async function nextUpdate(db: Db, bot: string): Promise<number> {
  const row = await db
    .selectFrom('telegram_bots')
    .select('next_update')
    .where('bot', '=', bot)
    .executeTakeFirst()
  return row?.next_update ?? 0
}

async function noteUpdate(db: Db, bot: string, next_update: number): Promise<void> {
  await db
    .insertInto('telegram_bots')
    .values({ bot, next_update })
    .onConflict((on) => on.column('bot').doUpdateSet({ next_update }))
    .execute()
}

/** What is said to a message, in the language of the parcels page. In groups nothing: others would read the notices. */
async function answer(db: Db, { own, chat, text }: BotUpdate): Promise<string | null> {
  if (!own) return null
  const said = text.trim()
  if (/^\/stop\b/i.test(said)) {
    return (await unlinkChat(db, chat))
      ? 'Уведомления отключены. Чтобы включить их снова, получите новый код в профиле.'
      : 'Уведомления не были включены.'
  }
  const [, code] = /^(?:\/start\s+)?([a-z\d]{8,16})$/i.exec(said) ?? []
  if (code === undefined)
    return 'Отправьте код из профиля Karvon, чтобы получать уведомления. Отключить: /stop'
  const name = await linkChat(db, code, chat)
  return name === null
    ? 'Код не подходит или устарел. Получите новый код в профиле.'
    : `Уведомления включены: ${name}. Отключить: /stop`
}
