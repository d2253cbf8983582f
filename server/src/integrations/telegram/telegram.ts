import type { Readable } from 'node:stream'
import { request } from 'undici'
import { hasBot } from '../../config.senders.ts'
import { readAnswer, readUpdates, type BotUpdate } from './telegram.answer.ts'
import { toTelegramError, TelegramError, type BotAnswer } from './telegram.error.ts'
import { buildFileForm, type Document } from './telegram.form.ts'

export interface BotMessage {
  text: string
  /** Buttons below the chat until one is pressed. A pressed button sends its text. */
  buttons?: readonly string[]
}

/** A command of the bot's menu. */
export interface BotCommand {
  command: string
  description: string
}

/** The Bot API. Every function throws {@link TelegramError}. `signal` ends an attempt. */
export interface Telegram {
  sendDocument(chat: string, document: Document, signal: AbortSignal): Promise<void>
  sendPhoto(chat: string, photo: Document, signal: AbortSignal): Promise<void>
  sendMessage(chat: string, message: BotMessage, signal: AbortSignal): Promise<void>
  /** Sets the menu of private chats for people whose app has a language; null for all others. */
  setCommands(language: string | null, commands: readonly BotCommand[], signal: AbortSignal): Promise<void>
  /** The name of the bot without the @. */
  username(signal: AbortSignal): Promise<string>
  /** Reads messages from `offset` on and waits `seconds` for the first one. Telegram deletes the messages before `offset`. */
  updates(offset: number, seconds: number, signal: AbortSignal): Promise<{ next: number; items: BotUpdate[] }>
}

/** Maximum characters of a message (Bot API, sendMessage). */
export const maxMessage = 4096
/**
 * An answer of getUpdates has up to 100 messages. Each has up to two texts of 4096 characters, of which JSON can have six for one. A
 * smaller bound would stop the bot while such messages wait.
 */
const maxAnswerBytes = 16 * 1024 * 1024

/** Opens the Bot API at `root`; null without a token. The URL contains the token, so it must not be logged or shown. */
export function openTelegram(settings: { token: string | undefined; root: string }): Telegram | null {
  if (!hasBot(settings)) return null
  const { token, root } = settings
  const url = `${root.replace(/\/+$/, '')}/bot${token}/`
  const callJson = (method: string, body: Record<string, unknown>, signal: AbortSignal) =>
    call(`${url}${method}`, {
      token,
      signal,
      buildRequest: async (onSent) => {
        onSent()
        return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      },
    })
  const callFile = async (method: string, signal: AbortSignal, buildRequest: BuildRequest): Promise<void> => {
    await call(`${url}${method}`, { token, signal, buildRequest })
  }
  return {
    sendDocument: (chat, document, signal) =>
      callFile('sendDocument', signal, (onSent) =>
        buildFileForm(chat, { field: 'document', ...document }, onSent),
      ),
    sendPhoto: (chat, photo, signal) =>
      callFile('sendPhoto', signal, (onSent) => buildFileForm(chat, { field: 'photo', ...photo }, onSent)),
    async sendMessage(chat, { text, buttons }, signal) {
      const keyboard = buttons?.map((button) => [{ text: button }])
      const body = {
        chat_id: chat,
        text: text.slice(0, maxMessage).toWellFormed(),
        ...(keyboard && { reply_markup: { keyboard, resize_keyboard: true, one_time_keyboard: true } }),
      }
      await callJson('sendMessage', body, signal)
    },
    async setCommands(language, commands, signal) {
      const body = {
        commands,
        scope: { type: 'all_private_chats' },
        ...(language && { language_code: language }),
      }
      await callJson('setMyCommands', body, signal)
    },
    async username(signal) {
      const me = (await callJson('getMe', {}, signal)) as { username?: unknown } | undefined
      return typeof me?.username === 'string' ? me.username : ''
    },
    async updates(offset, seconds, signal) {
      const query = { offset, timeout: seconds, allowed_updates: ['message'] }
      const updates = await callJson('getUpdates', query, signal)
      return readUpdates(Array.isArray(updates) ? updates : [], offset)
    },
  }
}

type BuildRequest = (onSent: () => void) => Promise<BotRequest>

interface BotRequest {
  headers: Record<string, string>
  body: string | Readable
}

/**
 * Makes one call and returns its result. `buildRequest` builds the request and calls `onSent` after its last byte. An
 * answer may repeat the URL, so the token is removed from the answer before it is read.
 */
async function call(
  url: string,
  { token, signal, buildRequest }: { token: string; signal: AbortSignal; buildRequest: BuildRequest },
): Promise<unknown> {
  let isSent = false
  const botRequest = await buildRequest(() => {
    isSent = true
  }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new TelegramError({ kind: 'rejected', reason: 'The stored file is not in the data folder' })
  })
  let answer: BotAnswer
  try {
    const { statusCode: status, body } = await request(url, { method: 'POST', ...botRequest, signal })
    answer = { status, ...readAnswer((await readText(body)).replaceAll(token, '…')) }
  } catch (error) {
    if (error instanceof TelegramError) throw error
    throw createConnectionError(error, signal, isSent)
  }
  if (!answer.ok) throw toTelegramError(answer)
  return answer.result
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > maxAnswerBytes) throw temporary('Telegram answered too much', true)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/**
 * Converts a failed connection to an error without the original text, which may contain the URL with the token. A request
 * that was not sent completely cannot have arrived.
 */
function createConnectionError(error: unknown, signal: AbortSignal, isSent: boolean): TelegramError {
  if (signal.aborted) return temporary('Telegram did not answer in time', isSent)
  const { code = '' } = error as NodeJS.ErrnoException
  const isRefused = code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'
  const reason = `Telegram could not be reached${code === '' ? '' : ` (${code})`}`
  return temporary(reason, isSent && !isRefused)
}

const temporary = (reason: string, mayHaveArrived: boolean) =>
  new TelegramError({ kind: 'temporary', reason, mayHaveArrived })
