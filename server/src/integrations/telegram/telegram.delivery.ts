import type pg from 'pg'
import type { DeliveryFailure } from '../../platform/queue/queue.outcome.ts'
import { acquireChat, chatState, pauseChat, storeMovedChat, type ChatRate } from './telegram.chats.queries.ts'
import { TelegramError } from './telegram.error.ts'

/** A message to a chat, whose id the settings or its owner gave. */
export interface ChatMessage {
  chat: string
  /** How often the chat may be sent to; null for no limit. */
  rate: ChatRate | null
  send(chat: string, signal: AbortSignal): Promise<void>
}

/** How often one attempt follows a group that moves. */
const maxMoves = 3

/** One attempt to deliver, until `signal` aborts; null when the message arrived. Follows a group that moved. */
export async function deliverToChat(
  pool: pg.Pool,
  message: ChatMessage,
  signal: AbortSignal,
): Promise<DeliveryFailure | null> {
  const { current, waits } = await chatState(pool, message.chat)
  if (waits > 0) return rateLimited(waits)
  const wait =
    message.rate === null ? 0 : await acquireChat(pool, { chat: message.chat, rate: message.rate, signal })
  if (wait > 0) return rateLimited(Math.ceil(wait))
  let chat = current
  for (let moves = 0; ; moves += 1) {
    const error = await errorOf(message.send(chat, signal))
    if (error === null) return null
    const { failure, movedTo } = error
    if (failure.kind === 'rate_limited') await pauseChat(pool, message.chat, failure.seconds)
    if (movedTo === undefined) return failure
    chat = movedTo
    await storeMovedChat(pool, message.chat, chat)
    if (moves === maxMoves) return failure
  }
}

const rateLimited = (seconds: number): DeliveryFailure => ({
  kind: 'rate_limited',
  seconds,
  reason: `Too many requests: wait ${seconds} s`,
})

function errorOf(sending: Promise<void>): Promise<TelegramError | null> {
  return sending.then(
    () => null,
    (error: unknown) => {
      if (error instanceof TelegramError) return error
      throw error
    },
  )
}
