import type pg from 'pg'
import type { DeliveryFailure } from '../../platform/queue/queue.outcome.ts'
import { acquireChat, readChat, pauseChat, storeMovedChat, type ChatRate } from './telegram.chats.queries.ts'
import { TelegramError } from './telegram.error.ts'

/** A message to a chat. The id of the chat is from the settings or from its owner. */
export interface ChatMessage {
  chat: string
  /** The rate limit of the chat; null for no limit. */
  rate: ChatRate | null
  send(chat: string, signal: AbortSignal): Promise<void>
}

/** The maximum number of moves of a group that one attempt follows. */
const maxMoves = 3

/** Makes one attempt to deliver, until `signal` aborts. Follows a group that moved. Returns null if the message arrived. */
export async function deliverToChat(
  pool: pg.Pool,
  message: ChatMessage,
  signal: AbortSignal,
): Promise<DeliveryFailure | null> {
  const { current, pause } = await readChat(pool, message.chat)
  if (pause > 0) return createRateLimitFailure(pause)
  const wait =
    message.rate === null ? 0 : await acquireChat(pool, { chat: message.chat, rate: message.rate, signal })
  if (wait > 0) return createRateLimitFailure(Math.ceil(wait))
  let chat = current
  for (let moves = 0; ; moves += 1) {
    const error = await catchTelegramError(message.send(chat, signal))
    if (error === null) return null
    const { failure, movedTo } = error
    if (failure.kind === 'rate_limited') await pauseChat(pool, message.chat, failure.seconds)
    if (movedTo === undefined) return failure
    chat = movedTo
    await storeMovedChat(pool, message.chat, chat)
    if (moves === maxMoves) return failure
  }
}

const createRateLimitFailure = (seconds: number): DeliveryFailure => ({
  kind: 'rate_limited',
  seconds,
  reason: `Too many requests: wait ${seconds} s`,
})

function catchTelegramError(sending: Promise<void>): Promise<TelegramError | null> {
  return sending.then(
    () => null,
    (error: unknown) => {
      if (error instanceof TelegramError) return error
      throw error
    },
  )
}
