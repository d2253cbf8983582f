import {
  getTelegram,
  linkTelegram,
  listNotices,
  putTelegram,
  retryNotice,
  unlinkTelegram,
  type TelegramLink,
} from '@karvon/contract/notices/notices.ts'
import type { OwnerProof } from '@karvon/contract/lib/proof.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { openTelegram } from '../../integrations/telegram/telegram.ts'
import type { Db } from '../../platform/database/pool.ts'
import { retryDelivery } from '../../platform/queue/queue.retry.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError } from '../../platform/http/errors.ts'
import { answerList, itemOf } from '../../resources/lists.answer.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerTransaction } from '../../platform/database/transaction.ts'
import { choose, giveCode, linkOf, unlink } from './notices.link.ts'
import { noticeItem, noticeListText } from './notices.queries.ts'

/** Milliseconds that Telegram has to say what the bot is called. */
const patience = 2000

/** Refuses whoever has no more than the session of the person, see the sign-in. */
type ProveOwner = (request: FastifyRequest, proof: OwnerProof) => Promise<void>

/** One's own chat with the bot, and for admins what is told in all of them. */
export function noticesRoutes(
  app: FastifyInstance,
  { db, pool, config, bell }: Deps,
  proveOwner: ProveOwner,
): void {
  const telegram = openTelegram(config.telegram)
  let known: string | null = null

  /** The bot's name, asked for until it is known once. */
  async function bot(): Promise<string | null> {
    if (telegram === null) return null
    known ??= await telegram.username(AbortSignal.timeout(patience)).catch(() => null)
    return known
  }

  async function status(from: Db, userId: number, name: string | null): Promise<TelegramLink> {
    const { chat_id, ...link } = await linkOf(from, userId)
    return { available: telegram !== null, bot: name, linked: chat_id !== null, ...link }
  }

  /** A change of one's link, and the link after it. */
  async function changed(userId: number, change: (trx: Db) => Promise<void>): Promise<RawJson> {
    // Telegram is not waited for within a transaction.
    const name = await bot()
    return answerTransaction(db, async (trx) => {
      await change(trx)
      return new RawJson(JSON.stringify(await status(trx, userId, name)))
    })
  }

  serve(app, getTelegram, async ({ person }) => status(db, person.userId, await bot()))

  serve(app, linkTelegram, async ({ person, body, request }) => {
    if (telegram === null) throw new AppError('conflict', 'Telegram is not set up here.')
    await proveOwner(request, body)
    return changed(person.userId, (trx) => giveCode(trx, person.userId))
  })

  serve(app, putTelegram, ({ person, body }) =>
    changed(person.userId, (trx) => choose(trx, person.userId, body)),
  )

  serve(app, unlinkTelegram, async ({ person, body, request }) => {
    await proveOwner(request, body)
    return changed(person.userId, (trx) => unlink(trx, person.userId))
  })

  serve(app, listNotices, ({ query }) => answerList(pool, query, (span) => noticeListText(query, span)))

  serve(app, retryNotice, async ({ params, person }) => {
    const answer = await answerTransaction(db, async (trx) => {
      await retryDelivery(trx, 'notices', params.id, person)
      const one = `select (${noticeItem})::text as item from notices n where n.id = $1`
      return itemOf(trx, one, params.id)
    })
    bell.emit('notices')
    return answer
  })
}
