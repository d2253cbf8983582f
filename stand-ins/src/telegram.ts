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

export interface TelegramStandIn {
  /** For KARVON_TELEGRAM_ROOT. */
  root: string
  mode: TelegramMode
  /** Bad days one by one, each with its chance a request; before them the mode counts. */
  faults: TelegramFaults
  /** Milliseconds that `slow` takes. */
  delay: number
  /** What arrived and was taken, oldest first. */
  readonly sent: SentDocument[]
  /** Calls so far, whatever became of them. */
  readonly calls: number
  /** Where the group is now: undefined until it moved; whoever sends to an older one is told. */
  readonly movedTo: string | undefined
  close(): Promise<void>
}

/** A small server that speaks the Bot API's sendDocument for one token. */
export async function startTelegram(token: string, port = 0): Promise<TelegramStandIn> {
  let calls = 0
  const state: State = { token, sent: [], movedTo: undefined }
  const server = createServer((request, response) => {
    calls++
    answer(stand, state, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const stand: TelegramStandIn = {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'ok',
    faults: {},
    delay: 1000,
    sent: state.sent,
    get calls() {
      return calls
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
  movedTo: string | undefined
}

async function answer(
  stand: TelegramStandIn,
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
) {
  if (stand.mode === 'reset') return void request.socket.resetAndDestroy()
  const document = await documentOf(request)
  if (stand.mode === 'hang') return
  if (stand.mode === 'slow') await new Promise((resolve) => setTimeout(resolve, stand.delay))
  const known = request.url === `/bot${state.token}/sendDocument`
  const failure = known ? failureOf(stand.mode, document.chat === String(migratedTo)) : notFound
  if (failure !== null) return fail(response, failure)
  const struck = struckBy(stand.faults)
  if (struck === 'migrate') state.movedTo = String(migratedTo - stand.calls)
  if (state.movedTo !== undefined && document.chat !== state.movedTo)
    return fail(response, movedFailure(Number(state.movedTo)))
  if (struck === 'reset') return void request.socket.resetAndDestroy()
  if (struck === 'hang') return
  if (typeof struck === 'object' && struck !== null) return fail(response, struck)
  state.sent.push(document)
  // It was taken, and whoever sent it never hears of it.
  if (struck === 'lost') return void request.socket.resetAndDestroy()
  json(response, 200, {
    ok: true,
    result: { message_id: state.sent.length, document: { file_name: document.name } },
  })
}

const notFound: Failure = { status: 404, description: 'Not Found' }

function fail(response: ServerResponse, { status, description, parameters, text }: Failure): void {
  if (text !== undefined) return void response.writeHead(status, { 'content-type': 'text/html' }).end(text)
  json(response, status, { ok: false, error_code: status, description, ...(parameters && { parameters }) })
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function documentOf(request: IncomingMessage): Promise<SentDocument> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(Buffer.concat(pieces), { headers }).formData()
  const [chat, caption, file] = [form.get('chat_id'), form.get('caption'), form.get('document')]
  if (typeof chat !== 'string' || file === null || typeof file === 'string') throw new Error('Not a document')
  return { chat, caption: typeof caption === 'string' ? caption : null, name: file.name, size: file.size }
}
