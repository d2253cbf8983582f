import type { Readable } from 'node:stream'
import { request } from 'undici'
import { errorOfAnswer, TelegramError, type BotAnswer } from './telegram.error.ts'
import { documentForm, type Document } from './telegram.form.ts'

/** What a person wrote to the bot. */
export interface BotUpdate {
  id: number
  chat: string
  /** A chat with one person alone, not a group. */
  own: boolean
  text: string
}

/** The Bot API; everything throws {@link TelegramError}. `signal` ends an attempt. */
export interface Telegram {
  sendDocument(chat: string, document: Document, signal: AbortSignal): Promise<void>
  sendMessage(chat: string, text: string, signal: AbortSignal): Promise<void>
  /** The bot's own name, without the @. */
  username(signal: AbortSignal): Promise<string>
  /** Messages from `offset` on; waits up to so many seconds for one. What is before `offset` is forgotten there. */
  updates(offset: number, seconds: number, signal: AbortSignal): Promise<{ next: number; items: BotUpdate[] }>
}

/** Characters of a message at the most (Bot API, sendMessage). */
const maxMessage = 4096
const maxAnswerBytes = 1024 * 1024

/** The Bot API at `root`, or null where no token is set. The token stands in the URL: never show it. */
export function openTelegram(set: { token: string | undefined; root: string }): Telegram | null {
  const { token, root } = set
  if (token === undefined) return null
  const url = `${root.replace(/\/+$/, '')}/bot${token}/`
  const json = (method: string, body: Record<string, unknown>, signal: AbortSignal) =>
    ask(`${url}${method}`, {
      token,
      signal,
      form: async (left) => {
        left()
        return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      },
    })
  return {
    async sendDocument(chat, document, signal) {
      await ask(`${url}sendDocument`, { token, signal, form: (left) => documentForm(chat, document, left) })
    },
    async sendMessage(chat, text, signal) {
      await json('sendMessage', { chat_id: chat, text: text.slice(0, maxMessage).toWellFormed() }, signal)
    },
    async username(signal) {
      const me = (await json('getMe', {}, signal)) as { username?: unknown } | undefined
      return typeof me?.username === 'string' ? me.username : ''
    },
    async updates(offset, seconds, signal) {
      const asked = { offset, timeout: seconds, allowed_updates: ['message'] }
      const told = await json('getUpdates', asked, signal)
      return readUpdates(Array.isArray(told) ? told : [], offset)
    },
  }
}

interface Asked {
  headers: Record<string, string>
  body: string | Readable
}

/**
 * One call's result. `form` makes what is sent, and says when all of it has left for Telegram. What answers may repeat
 * the address: nothing of it is read with the token in it.
 */
async function ask(
  url: string,
  { token, signal, form }: { token: string; signal: AbortSignal; form: (left: () => void) => Promise<Asked> },
): Promise<unknown> {
  let whole = false
  const asked = await form(() => {
    whole = true
  }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new TelegramError({ kind: 'rejected', reason: 'The stored file is not in the data folder' })
  })
  let answer: BotAnswer
  try {
    const { statusCode: status, body } = await request(url, { method: 'POST', ...asked, signal })
    answer = { status, ...readAnswer((await textOf(body)).replaceAll(token, '…')) }
  } catch (error) {
    if (error instanceof TelegramError) throw error
    throw connectionError(error, signal, whole)
  }
  if (!answer.ok) throw errorOfAnswer(answer)
  return answer.result
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > maxAnswerBytes) throw temporary('Telegram answered too much', true)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function readAnswer(text: string): Omit<BotAnswer, 'status'> {
  try {
    const answer = JSON.parse(text) as Partial<BotAnswer> | null
    return { ...answer, ok: answer?.ok === true }
  } catch {
    return { ok: false }
  }
}

/** Without the error's own text, which may hold the URL and so the token. A request that was not sent whole cannot have arrived. */
function connectionError(error: unknown, signal: AbortSignal, whole: boolean): TelegramError {
  if (signal.aborted) return temporary('Telegram did not answer in time', whole)
  const { code = '' } = error as NodeJS.ErrnoException
  const refused = code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'
  const reason = `Telegram could not be reached${code === '' ? '' : ` (${code})`}`
  return temporary(reason, whole && !refused)
}

const temporary = (reason: string, mayHaveArrived: boolean) =>
  new TelegramError({ kind: 'temporary', reason, mayHaveArrived })

interface RawUpdate {
  update_id?: unknown
  message?: { text?: unknown; chat?: { id?: unknown; type?: unknown } }
}

/** The messages among what Telegram told; anything else is only passed over. */
function readUpdates(told: unknown[], offset: number): { next: number; items: BotUpdate[] } {
  let next = offset
  const items: BotUpdate[] = []
  for (const each of told) {
    const { update_id: id, message } = (each ?? {}) as RawUpdate
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) continue
    next = Math.max(next, id + 1)
    const { text, chat } = message ?? {}
    if (typeof text !== 'string' || (typeof chat?.id !== 'number' && typeof chat?.id !== 'string')) continue
    items.push({ id, chat: String(chat.id), own: chat.type === 'private', text })
  }
  return { next, items }
}
