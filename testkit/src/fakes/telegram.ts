import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  failureOf,
  migratedTo,
  movedFailure,
  struckBy,
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

export interface SentMessage {
  chat: string
  text: string
}

export interface FakeTelegram {
  /** For KARVON_TELEGRAM_ROOT. */
  root: string
  mode: TelegramMode
  /** Bad days one by one, each with its chance a request; before them the mode counts. */
  faults: TelegramFaults
  /** Milliseconds that `slow` takes. */
  delay: number
  /** What arrived and was taken, oldest first. */
  readonly sent: SentDocument[]
  readonly messages: SentMessage[]
  /** Somebody writes to the bot: in a chat of their own unless `group`. */
  write(chat: number, text: string, group?: 'group'): void
  /** Captions of documents whose sender was not told what became of them. */
  readonly doubtful: Set<string | null>
  /** Calls that ended before all of them had come. */
  readonly cutOff: number
  /** Calls so far, whatever became of them. */
  readonly calls: number
  /** Where the group is now: undefined until it moved; whoever sends to an older one is told. */
  readonly movedTo: string | undefined
  close(): Promise<void>
}

/** A small server that speaks the Bot API's sendDocument, sendMessage, getUpdates and getMe for one token. */
export async function startTelegram(token: string, port = 0): Promise<FakeTelegram> {
  let calls = 0
  let cutOff = 0
  const state: State = { token, sent: [], messages: [], updates: [], doubtful: new Set(), movedTo: undefined }
  const server = createServer((request, response) => {
    calls++
    answer(stand, state, request, response).catch(() => {
      cutOff++
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const stand: FakeTelegram = {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'ok',
    faults: {},
    delay: 1000,
    sent: state.sent,
    messages: state.messages,
    doubtful: state.doubtful,
    write: (chat, text, group) => addUpdate(state, chat, text, group),
    get calls() {
      return calls
    },
    get cutOff() {
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
  return stand
}

interface State {
  token: string
  sent: SentDocument[]
  messages: SentMessage[]
  updates: { update_id: number }[]
  doubtful: Set<string | null>
  movedTo: string | undefined
}

function addUpdate({ updates }: State, id: number, text: string, group?: 'group'): void {
  const message = { text, chat: { id, type: group ?? 'private' } }
  updates.push(Object.assign({ update_id: 100 + updates.length }, { message }))
}

async function answer(stand: FakeTelegram, state: State, request: IncomingMessage, response: ServerResponse) {
  if (stand.mode === 'reset') return void request.socket.resetAndDestroy()
  const method = request.url?.startsWith(`/bot${state.token}/`) ? request.url.split('/').at(-1) : undefined
  if (method === 'getUpdates' || method === 'getMe') return tell(state, method, request, response)
  const body = await bodyOf(request)
  response.once('close', () => {
    if ('caption' in body && !response.writableFinished) state.doubtful.add(body.caption)
  })
  if (stand.mode === 'hang') return
  if (stand.mode === 'slow') await new Promise((resolve) => setTimeout(resolve, stand.delay))
  const failure = method === undefined ? notFound : failureOf(stand.mode, body.chat === String(migratedTo))
  if (failure !== null) return fail(response, failure)
  const struck = struckBy(stand.faults)
  if (struck === 'migrate') state.movedTo = String(migratedTo - stand.calls)
  if (state.movedTo !== undefined && body.chat !== state.movedTo)
    return fail(response, movedFailure(Number(state.movedTo)))
  if (struck === 'reset') return void request.socket.resetAndDestroy()
  if (struck === 'hang') return
  if (typeof struck === 'object' && struck !== null) return fail(response, struck)
  if ('text' in body) state.messages.push(body)
  else state.sent.push(body)
  // It was taken, and whoever sent it never hears of it.
  if (struck === 'lost') return void request.socket.resetAndDestroy()
  json(response, 200, { ok: true, result: { message_id: state.sent.length + state.messages.length } })
}

/** What the bot is called, and what people wrote to it; waits for nobody longer than a moment. */
async function tell(
  { updates }: State,
  method: 'getMe' | 'getUpdates',
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { offset = 0 } = JSON.parse((await bytesOf(request)).toString()) as { offset?: number }
  const fresh = () => updates.filter(({ update_id: id }) => id >= offset)
  if (method === 'getUpdates' && fresh().length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  json(response, 200, { ok: true, result: method === 'getMe' ? { username: 'karvon_bot' } : fresh() })
}

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

async function bodyOf(request: IncomingMessage): Promise<SentDocument | SentMessage> {
  const bytes = await bytesOf(request)
  const type = request.headers['content-type'] ?? ''
  if (type === 'application/json') {
    const { chat_id, text } = JSON.parse(bytes.toString()) as { chat_id: unknown; text: unknown }
    return { chat: String(chat_id), text: String(text) }
  }
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const [chat, caption, file] = [form.get('chat_id'), form.get('caption'), form.get('document')]
  if (typeof chat !== 'string' || file === null || typeof file === 'string') throw new Error('Not a document')
  return { chat, caption: typeof caption === 'string' ? caption : null, name: file.name, size: file.size }
}
