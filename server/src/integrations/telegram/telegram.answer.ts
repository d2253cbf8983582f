import type { BotAnswer } from './telegram.error.ts'

// Reads what the Bot API answers. The database cannot store every text of JSON, and one value that it refuses would be read
// again and again: the queue would repeat its message, and the bot would never get past its update.

/** A message to the bot. */
export interface BotUpdate {
  id: number
  chat: string
  /** True for a private chat, false for a group. */
  isPrivate: boolean
  text: string
  /** The language of the person's Telegram app, as an IETF tag. */
  language: string | undefined
}

const controlCharacters = /\p{Cc}/gu
/** A chat has an id of at most 52 bits (Bot API, Chat). Undefined for anything else. */
function readChatId(value: unknown): string | undefined {
  const id = String(value)
  return /^-?\d{1,16}$/.test(id) ? id : undefined
}
/** The next number must be a safe integer too. */
const isUpdateId = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < Number.MAX_SAFE_INTEGER

/** Reads the text of an answer. Anything but an answer of the Bot API is not ok. */
export function readAnswer(text: string): Omit<BotAnswer, 'status'> {
  const { ok, result, description, parameters } = parseObject(text)
  const { retry_after, migrate_to_chat_id } = toObject(parameters)
  return {
    ok: ok === true,
    result,
    description: typeof description === 'string' ? description.replaceAll(controlCharacters, ' ') : undefined,
    retryAfter: typeof retry_after === 'number' ? retry_after : undefined,
    movedTo: readChatId(migrate_to_chat_id),
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return toObject(JSON.parse(text))
  } catch {
    return {}
  }
}

const toObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/**
 * Reads the text messages of updates, each once and in the order of their ids. Ignores all other updates. `next` follows
 * these updates even if it is lower than `offset`: after a week without an update, and on another server, Telegram chooses
 * new ids, and answers an offset beyond them with all updates, again and again.
 */
export function readUpdates(
  updates: readonly unknown[],
  offset: number,
): { next: number; items: BotUpdate[] } {
  const messagesById = new Map<number, unknown>()
  for (const update of updates) {
    const { update_id: id, message } = toObject(update)
    if (isUpdateId(id)) messagesById.set(id, message)
  }
  const ids = [...messagesById.keys()].toSorted((a, b) => a - b)
  const lastId = ids.at(-1)
  return {
    next: lastId === undefined ? offset : lastId + 1,
    items: ids.flatMap((id) => readMessage(id, messagesById.get(id)) ?? []),
  }
}

function readMessage(id: number, message: unknown): BotUpdate | undefined {
  const { text, chat, from } = toObject(message)
  const { id: rawChatId, type } = toObject(chat)
  const { language_code: language } = toObject(from)
  const chatId = readChatId(rawChatId)
  if (typeof text !== 'string' || chatId === undefined) return undefined
  return {
    id,
    chat: chatId,
    isPrivate: type === 'private',
    text,
    language: typeof language === 'string' ? language : undefined,
  }
}
