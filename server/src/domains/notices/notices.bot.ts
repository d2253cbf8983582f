import { setTimeout as sleep } from 'node:timers/promises'
import type { BotUpdate } from '../../integrations/telegram/telegram.answer.ts'
import type { Telegram } from '../../integrations/telegram/telegram.ts'
import { deliverToChat } from '../../integrations/telegram/telegram.delivery.ts'
import { TelegramError } from '../../integrations/telegram/telegram.error.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { maxBotMessagesPerChat } from '../../platform/limits/limits.ts'
import { RateLimiter } from '../../platform/limits/rate-limiter.ts'
import type { BotReader } from './notices.bot.answers.ts'
import { handleMessage, type BotReply } from './notices.bot.commands.ts'
import { publishCommands } from './notices.bot.menu.ts'
import { readNextUpdate, saveNextUpdate } from './notices.bot.queries.ts'

/** Seconds that Telegram holds a getUpdates request open while there is no update. */
const longPollSeconds = 25
/** Milliseconds between two answers without an update. A proxy may answer at once instead of holding the request open. */
const emptyAnswerInterval = 1000
/** Maximum time to send a reply, in milliseconds. */
const replyTimeout = 10_000

interface Bot {
  telegram: Telegram
  /** The bot's id. */
  bot: string
  reader: BotReader
  wait?: number | undefined
}

/** The job that reads messages to the bot and replies. Only one process runs it: Telegram delivers each update once. */
export function botJob(deps: Deps, { telegram, bot, reader, wait = longPollSeconds }: Bot): Job {
  const { db, log } = deps
  const messageLimiter = new RateLimiter(maxBotMessagesPerChat)
  let isMenuPublished = false

  /** Handles an update once. A kill or a failure after the commit loses the reply: the person can repeat the message. */
  async function handleUpdate(update: BotUpdate): Promise<void> {
    const isIgnored = !update.isPrivate || messageLimiter.consume(update.chat) > 0
    const reply = await inTransaction(db, async (trx) => {
      await saveNextUpdate(trx, bot, update.id + 1)
      return isIgnored ? null : handleMessage(trx, update, { reader, config: deps.config })
    })
    if (reply !== null) await sendReply(deps, telegram, { chat: update.chat, reply })
  }

  return {
    name: 'telegram-bot',
    interval: 30_000,
    timeout: 60_000,
    isExclusive: true,
    async run(signal) {
      const startTime = performance.now()
      try {
        if (!isMenuPublished) isMenuPublished = await publishCommands(telegram, log, signal)
        const { next, items } = await telegram.updates(await readNextUpdate(db, bot), wait, signal)
        for (const update of items) {
          if (signal.aborted) return
          await handleUpdate(update)
        }
        await saveNextUpdate(db, bot, next)
        const pause = Math.min(wait * 1000, emptyAnswerInterval) - (performance.now() - startTime)
        if (items.length === 0 && pause > 0) await sleep(pause, undefined, { signal }).catch(() => {})
        return { hasMore: true }
      } catch (error) {
        if (!(error instanceof TelegramError)) throw error
        if (!signal.aborted) log.warn({ reason: error.message }, 'Could not read the updates of the bot')
        return
      }
    },
  }
}

/**
 * Sends a reply in one attempt. It does not wait for the rate of its chat, because all other chats would wait too:
 * `maxBotMessagesPerChat` limits the replies to a chat.
 */
async function sendReply(
  { pool, log }: Deps,
  telegram: Telegram,
  { chat, reply }: { chat: string; reply: BotReply },
): Promise<void> {
  const message = await reply.read().catch((error: unknown) => {
    log.warn({ err: error }, 'Could not read the answer of the bot')
    return reply.failed
  })
  const failure = await deliverToChat(
    pool,
    {
      chat,
      rate: null,
      send: (current, until) => telegram.sendMessage(current, message, until),
    },
    AbortSignal.timeout(replyTimeout),
  )
  if (failure !== null) log.warn({ reason: failure.reason }, 'Could not send an answer of the bot')
}
