import {
  getTelegram,
  linkTelegram,
  listNotices,
  putTelegram,
  retryNotice,
  unlinkTelegram,
  type TelegramLink,
} from '@karvon/contract/notices/notices.ts'
import type { FastifyInstance } from 'fastify'
import { openTelegram } from '../clients/telegram.ts'
import { retryDelivery } from '../kit/deliveries/deliveries.retry.ts'
import type { Deps } from '../kit/deps.ts'
import { AppError } from '../kit/errors.ts'
import { answerList, oneRow } from '../kit/lists/lists.answer.ts'
import { RawJson } from '../kit/raw-json.ts'
import { serve } from '../kit/serve.ts'
import { inTransaction } from '../kit/transaction.ts'
import { choose, giveCode, linkOf, unlink } from './notices.link.ts'
import { noticeItem, noticeListText } from './notices.sql.ts'

/** Milliseconds that Telegram has to say what the bot is called. */
const patience = 2000

/** One's own chat with the bot, and for admins what is told in all of them. */
export function noticesRoutes(app: FastifyInstance, { db, pool, config, bell }: Deps): void {
  const telegram = openTelegram(config.telegram)
  let known: string | null = null

  /** The bot's name, asked for until it is known once. */
  async function bot(): Promise<string | null> {
    if (telegram === null) return null
    known ??= await telegram.username(AbortSignal.timeout(patience)).catch(() => null)
    return known
  }

  async function status(userId: number): Promise<TelegramLink> {
    const [{ chat_id, ...link }, name] = await Promise.all([linkOf(db, userId), bot()])
    return { available: telegram !== null, bot: name, linked: chat_id !== null, ...link }
  }

  serve(app, getTelegram, ({ person }) => status(person.userId))

  serve(app, linkTelegram, async ({ person }) => {
    if (telegram === null) throw new AppError('conflict', 'Telegram is not set up here.')
    await giveCode(db, person.userId)
    return status(person.userId)
  })

  serve(app, putTelegram, async ({ person, body }) => {
    await choose(db, person.userId, body)
    return status(person.userId)
  })

  serve(app, unlinkTelegram, async ({ person }) => {
    await unlink(db, person.userId)
    return status(person.userId)
  })

  serve(app, listNotices, ({ query }) => answerList(pool, query, (span) => noticeListText(query, span)))

  serve(app, retryNotice, async ({ params, person }) => {
    await inTransaction(db, (trx) => retryDelivery(trx, 'notices', params.id, person))
    bell.emit('notices')
    const one = `select (${noticeItem})::text as item from notices n where n.id = $1`
    return new RawJson((await oneRow<{ item: string }>(pool, one, [params.id])).item)
  })
}
