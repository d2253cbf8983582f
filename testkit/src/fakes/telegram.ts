import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  failureOf,
  migratedChatId,
  chatMigratedFailure,
  pickTelegramFault,
  type Failure,
  type TelegramFaults,
  type TelegramMode,
} from './telegram.faults.ts'

export interface SentDocument {
  chat: string
  caption: string | null
  name: string
  size: number
}

export interface SentFile {
  kind: 'photo' | 'document'
  chat: string
  caption: string | null
  content: Buffer
}

export interface SentMessage {
  chat: string
  text: string
  /** The texts of the buttons; absent without buttons. */
  buttons?: string[]
}

export interface FakeTelegram {
  /** For KARVON_TELEGRAM_ROOT. */
  root: string
  mode: TelegramMode
  /** Random faults. They apply after the mode. */
  faults: TelegramFaults
  /** Milliseconds that `slow` takes. */
  delay: number
  /** The accepted documents, oldest first. */
  readonly sent: SentDocument[]
  readonly messages: SentMessage[]
  /** The accepted photos, and the documents of at most 100 kB, with their bytes. */
  readonly files: SentFile[]
  /** The commands of the menu by language; '' is the default. */
  readonly commands: Map<string, string[]>
  /** Adds a message to the bot, from a private chat or a group; `language` is that of the person's app. */
  write(chat: number, text: string, from?: { group?: true; language?: string }): void
  /** Deletes the updates, and gives the next one this id, as Telegram may after a week without an update. */
  renumber(nextUpdate: number): void
  /** The captions of documents whose sender got no answer. */
  readonly unconfirmed: Set<string | null>
  /** The number of calls whose connection broke. */
  readonly brokenCalls: number
  /** The number of all calls. */
  readonly calls: number
  /** The current chat of a moved group; undefined before the first move. */
  readonly movedTo: string | undefined
  close(): Promise<void>
}

/** Starts a server with the Bot API's sendDocument, sendPhoto, sendMessage, setMyCommands, getUpdates and getMe for one token. */
export async function startTelegram(token: string, port = 0): Promise<FakeTelegram> {
  let calls = 0
  let cutOff = 0
  const state: State = {
    token,
    sent: [],
    messages: [],
    files: [],
    commands: new Map(),
    updates: [],
    nextUpdate: 100,
    doubtful: new Set(),
    movedTo: undefined,
  }
  const server = createServer((request, response) => {
    calls++
    answer(fake, state, request, response).catch(() => {
      cutOff++
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const fake: FakeTelegram = {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'ok',
    faults: {},
    delay: 1000,
    sent: state.sent,
    messages: state.messages,
    files: state.files,
    commands: state.commands,
    unconfirmed: state.doubtful,
    write: (chat, text, from) => addUpdate(state, { id: chat, text, ...from }),
    renumber: (nextUpdate) => Object.assign(state, { updates: [], nextUpdate }),
    get calls() {
      return calls
    },
    get brokenCalls() {
      return cutOff
    },
    get movedTo() {
      return state.movedTo
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return fake
}

interface State {
  token: string
  sent: SentDocument[]
  messages: SentMessage[]
  files: SentFile[]
  commands: Map<string, string[]>
  updates: { update_id: number }[]
  nextUpdate: number
  doubtful: Set<string | null>
  movedTo: string | undefined
}

function addUpdate(
  state: State,
  { id, text, group, language }: { id: number; text: string; group?: true; language?: string },
): void {
  const from = { id: 7, ...(language !== undefined && { language_code: language }) }
  const message = { text, from, chat: { id, type: group ? 'group' : 'private' } }
  state.updates.push(Object.assign({ update_id: state.nextUpdate }, { message }))
  state.nextUpdate += 1
}

async function answer(fake: FakeTelegram, state: State, request: IncomingMessage, response: ServerResponse) {
  if (fake.mode === 'reset') return void request.socket.resetAndDestroy()
  const method = request.url?.startsWith(`/bot${state.token}/`) ? request.url.split('/').at(-1) : undefined
  if (method === 'getUpdates' || method === 'getMe') return answerUpdates(state, method, request, response)
  if (method === 'setMyCommands') return answerCommands(state, request, response)
  const body = await bodyOf(request)
  response.once('close', () => {
    if ('caption' in body && !response.writableFinished) state.doubtful.add(body.caption)
  })
  if (fake.mode === 'hang') return
  if (fake.mode === 'slow') await new Promise((resolve) => setTimeout(resolve, fake.delay))
  const failure = method === undefined ? notFound : failureOf(fake.mode, body.chat === String(migratedChatId))
  if (failure !== null) return fail(response, failure)
  const fault = pickTelegramFault(fake.faults)
  if (fault === 'migrate') state.movedTo = String(migratedChatId - fake.calls)
  if (state.movedTo !== undefined && body.chat !== state.movedTo)
    return fail(response, chatMigratedFailure(Number(state.movedTo)))
  if (fault === 'reset') return void request.socket.resetAndDestroy()
  if (fault === 'hang') return
  if (typeof fault === 'object' && fault !== null) return fail(response, fault)
  if ('text' in body) state.messages.push(body)
  else {
    const { file, ...document } = body
    if (file.kind === 'document') state.sent.push(document)
    if (file.kind === 'photo' || file.content.length <= maxKeptBytes) state.files.push(file)
  }
  // The document is accepted, but the sender gets no answer.
  if (fault === 'lost') return void request.socket.resetAndDestroy()
  json(response, 200, {
    ok: true,
    result: { message_id: state.sent.length + state.messages.length + state.files.length },
  })
}

/** Answers getMe and getUpdates. Waits for a new update as long as the request asks for, and at least 50 ms. */
async function answerUpdates(
  state: State,
  method: 'getMe' | 'getUpdates',
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { offset = 0, timeout = 0 } = JSON.parse((await bytesOf(request)).toString()) as {
    offset?: number
    timeout?: number
  }
  const findNewUpdates = () => {
    // Telegram takes an offset that far beyond its next update for none.
    const isForgotten = offset > state.nextUpdate + 10
    return state.updates.filter(({ update_id: id }) => isForgotten || id >= offset)
  }
  if (method === 'getMe') return json(response, 200, { ok: true, result: { username: 'karvon_bot' } })
  const endTime = performance.now() + timeout * 1000
  while (findNewUpdates().length === 0 && !response.destroyed) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    if (performance.now() >= endTime) break
  }
  json(response, 200, { ok: true, result: findNewUpdates() })
}

/** Answers setMyCommands. */
async function answerCommands(
  { commands }: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = JSON.parse((await bytesOf(request)).toString()) as {
    language_code?: string
    commands: { command: string; description: string }[]
  }
  const lines = body.commands.map(({ command, description }) => `${command}: ${description}`)
  commands.set(body.language_code ?? '', lines)
  json(response, 200, { ok: true, result: true })
}

const maxKeptBytes = 100_000

const notFound: Failure = { status: 404, description: 'Not Found' }

function fail(response: ServerResponse, { status, description, parameters, text }: Failure): void {
  if (text !== undefined) return void response.writeHead(status, { 'content-type': 'text/html' }).end(text)
  json(response, status, { ok: false, error_code: status, description, ...(parameters && { parameters }) })
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function bytesOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function bodyOf(request: IncomingMessage): Promise<(SentDocument & { file: SentFile }) | SentMessage> {
  const bytes = await bytesOf(request)
  const type = request.headers['content-type'] ?? ''
  if (type === 'application/json') {
    const { chat_id, text, reply_markup } = JSON.parse(bytes.toString()) as {
      chat_id: unknown
      text: unknown
      reply_markup?: { keyboard: { text: string }[][] }
    }
    const buttons = reply_markup?.keyboard.flat().map((button) => button.text)
    return { chat: String(chat_id), text: String(text), ...(buttons && { buttons }) }
  }
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const kind = form.has('photo') ? 'photo' : 'document'
  const [chat, text, file] = [form.get('chat_id'), form.get('caption'), form.get(kind)]
  if (typeof chat !== 'string' || file === null || typeof file === 'string') throw new Error('Not a document')
  const caption = typeof text === 'string' ? text : null
  const content = Buffer.from(await file.arrayBuffer())
  return { chat, caption, name: file.name, size: file.size, file: { kind, chat, caption, content } }
}
