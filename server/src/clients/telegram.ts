import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { request } from 'undici'

/** Why Telegram did not take a file, and what to do. */
export type TelegramTrouble =
  /** It asks to wait so many seconds. */
  | { kind: 'slow_down'; seconds: number }
  /** Nothing helps until an admin changes the settings: no such chat, the bot was blocked, a wrong token. */
  | { kind: 'refused'; reason: string }
  /** Try again later. `unsure` when the file may have arrived all the same. */
  | { kind: 'later'; reason: string; unsure: boolean }

export class TelegramError extends Error {
  readonly trouble: TelegramTrouble

  constructor(trouble: TelegramTrouble) {
    super(trouble.kind === 'slow_down' ? `Too many requests: wait ${trouble.seconds} s` : trouble.reason)
    this.name = 'TelegramError'
    this.trouble = trouble
  }
}

export interface Document {
  path: string
  /** As the receiver shall see it. */
  name: string
  caption: string
}

export interface Telegram {
  /** Sends a file to the installation's chat within `milliseconds`. Throws {@link TelegramError}. */
  sendDocument(document: Document, milliseconds: number): Promise<void>
}

/** Characters of a caption at the most (Bot API, sendDocument). */
export const maxCaption = 1024
const maxAnswerBytes = 64 * 1024

/** The Bot API at `root`, or null where no token or chat is set. The token stands in the URL: never show it. */
export function openTelegram(set: {
  token: string | undefined
  chat: string | undefined
  root: string
}): Telegram | null {
  const { token, chat, root } = set
  if (token === undefined || chat === undefined) return null
  // A group that became a supergroup tells its new id; it holds until the settings say so too.
  let current = chat
  const url = `${root.replace(/\/+$/, '')}/bot${token}/sendDocument`
  return {
    async sendDocument(document, milliseconds) {
      const signal = AbortSignal.timeout(Math.ceil(milliseconds))
      const first = await post(url, current, document, signal)
      const moved = first.parameters?.migrate_to_chat_id
      if (first.ok || moved === undefined) return settle(first)
      current = String(moved)
      settle(await post(url, current, document, signal))
    },
  }
}

interface BotAnswer {
  status: number
  ok: boolean
  description?: string
  parameters?: { retry_after?: number; migrate_to_chat_id?: number | string }
}

async function post(url: string, chat: string, document: Document, signal: AbortSignal): Promise<BotAnswer> {
  try {
    const answer = await request(url, { method: 'POST', ...(await formOf(chat, document)), signal })
    return { status: answer.statusCode, ...readAnswer(await textOf(answer.body)) }
  } catch (error) {
    if (error instanceof TelegramError) throw error
    throw lost(error, signal)
  }
}

/** The form, its file read from disk as it travels. */
async function formOf(chat: string, { path, name, caption }: Document) {
  const boundary = `karvon-${randomUUID()}`
  const part = (field: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`
  const texts =
    part('chat_id', chat) +
    (caption === '' ? '' : part('caption', caption.slice(0, maxCaption).toWellFormed()))
  const fileName = name.replaceAll(/["\r\n]/g, (sign) => encodeURIComponent(sign))
  const head = Buffer.from(
    `${texts}--${boundary}\r\ncontent-disposition: form-data; name="document"; filename="${fileName}"\r\n` +
      'content-type: application/octet-stream\r\n\r\n',
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const { size } = await stat(path)
  async function* body() {
    yield head
    yield* createReadStream(path) as AsyncIterable<Buffer>
    yield tail
  }
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + size + tail.length),
    },
    body: Readable.from(body(), { objectMode: false }),
  }
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > maxAnswerBytes)
      throw new TelegramError({ kind: 'later', reason: 'Telegram answered too much', unsure: true })
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

/** What the Bot API documents: 429 with retry_after; 400, 401, 403, 404 and 413 for good; all else for now. */
function settle(answer: BotAnswer): void {
  if (answer.ok) return
  const { status, description, parameters } = answer
  const reason = `Telegram answered ${status}${description === undefined ? '' : `: ${description.slice(0, 300)}`}`
  if (status === 429) throw new TelegramError({ kind: 'slow_down', seconds: waitOf(parameters?.retry_after) })
  if ([400, 401, 403, 404, 413].includes(status)) throw new TelegramError({ kind: 'refused', reason })
  throw new TelegramError({ kind: 'later', reason, unsure: status < 500 })
}

const waitOf = (seconds: unknown) =>
  typeof seconds === 'number' && seconds > 0 ? Math.min(Math.ceil(seconds), 3600) : 30

/** Without the error's own text, which may hold the URL and so the token. */
function lost(error: unknown, signal: AbortSignal): TelegramError {
  if (signal.aborted)
    return new TelegramError({ kind: 'later', reason: 'Telegram did not answer in time', unsure: true })
  const { code = '' } = error as NodeJS.ErrnoException
  const refused = code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'
  const reason = `Telegram could not be reached${code === '' ? '' : ` (${code})`}`
  return new TelegramError({ kind: 'later', reason, unsure: !refused })
}
