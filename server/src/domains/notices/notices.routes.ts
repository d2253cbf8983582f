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
import { openTelegram } from '../../integrations/telegram/telegram.ts'
import type { Db } from '../../platform/database/pool.ts'
import { retryDelivery } from '../../platform/queue/queue.retry.ts'
import type { Deps } from '../../platform/deps.ts'
import { reauthenticate } from '../auth/auth.reauthenticate.ts'
import { AppError } from '../../platform/http/errors.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import { saveNoticeChoices, createLinkCode, readLink, unlinkPerson } from './notices.link.queries.ts'
import { buildNoticeList, readNotice } from './notices.queries.ts'

/** Maximum time of the request for the bot's name, in milliseconds. */
const botNameTimeout = 2000

/** The calls of a person's own chat with the bot, and of the notices of all people for admins. */
export function noticesRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, config, jobTrigger } = deps
  const telegram = openTelegram(config.telegram)
  let cachedName: string | null = null

  /** The bot's name. It is requested until Telegram answers once. */
  async function readBotName(): Promise<string | null> {
    if (telegram === null) return null
    cachedName ??= await telegram.username(AbortSignal.timeout(botNameTimeout)).catch(() => null)
    return cachedName
  }

  async function readStatus(db: Db, userId: number, name: string | null): Promise<TelegramLink> {
    const { chat_id, ...link } = await readLink(db, userId)
    return { available: telegram !== null, bot: name, linked: chat_id !== null, ...link }
  }

  /** Changes a person's link and answers the new status. */
  async function changeLink(userId: number, change: (trx: Db) => Promise<void>): Promise<RawJson> {
    // The transaction must not wait for Telegram.
    const name = await readBotName()
    return inTransactionStoringAnswer(db, async (trx) => {
      await change(trx)
      return new RawJson(JSON.stringify(await readStatus(trx, userId, name)))
    })
  }

  serve(app, getTelegram, async ({ person }) => readStatus(db, person.userId, await readBotName()))

  serve(app, linkTelegram, async ({ person, body, request }) => {
    if (telegram === null) throw new AppError('telegram_not_set_up')
    await reauthenticate(deps, request, body)
    return changeLink(person.userId, (trx) => createLinkCode(trx, person.userId))
  })

  serve(app, putTelegram, ({ person, body }) =>
    changeLink(person.userId, (trx) => saveNoticeChoices(trx, person.userId, body)),
  )

  serve(app, unlinkTelegram, async ({ person, body, request }) => {
    await reauthenticate(deps, request, body)
    return changeLink(person.userId, (trx) => unlinkPerson(trx, person.userId))
  })

  serve(app, listNotices, ({ query }) => answerList(pool, query, buildNoticeList(query)))

  serve(app, retryNotice, async ({ params, person }) => {
    const answer = await inTransactionStoringAnswer(db, async (trx) => {
      await retryDelivery(trx, { queue: 'notices', id: params.id, person })
      return readNotice(trx, params.id)
    })
    jobTrigger.emit('notices')
    return answer
  })
}
