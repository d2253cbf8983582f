import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How the stand-in behaves: `ok`, or one of the bad days that the Bot API's documentation names. */
export type TelegramMode =
  | 'ok'
  | 'slow'
  | 'slow_down'
  | 'kicked'
  | 'no_chat'
  | 'migrated'
  | 'broken'
  | 'garbage'
  | 'hang'
  | 'reset'

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
  /** Milliseconds that `slow` takes. */
  delay: number
  /** What arrived and was taken, oldest first. */
  readonly sent: SentDocument[]
  /** Calls so far, whatever became of them. */
  readonly calls: number
  close(): Promise<void>
}

/** The chat that a group's members moved to, in mode `migrated`. */
export const migratedTo = -1009999

/** A small server that speaks the Bot API's sendDocument for one token. */
export async function startTelegram(token: string, port = 0): Promise<TelegramStandIn> {
  let calls = 0
  const sent: SentDocument[] = []
  const server = createServer((request, response) => {
    calls++
    answer(stand, token, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const stand: TelegramStandIn = {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'ok',
    delay: 1000,
    sent,
    get calls() {
      return calls
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return stand
}

async function answer(
  stand: TelegramStandIn,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  if (stand.mode === 'reset') return void request.socket.resetAndDestroy()
  const document = await documentOf(request)
  if (stand.mode === 'hang') return
  if (stand.mode === 'slow') await new Promise((resolve) => setTimeout(resolve, stand.delay))
  const failure = request.url === `/bot${token}/sendDocument` ? failureOf(stand.mode, document) : notFound
  if (failure !== null) {
    fail(response, failure)
    return
  }
  stand.sent.push(document)
  json(response, 200, {
    ok: true,
    result: { message_id: stand.sent.length, document: { file_name: document.name } },
  })
}

interface Failure {
  status: number
  description: string
  parameters?: Record<string, unknown>
  text?: string
}

const notFound: Failure = { status: 404, description: 'Not Found' }

const failures: Partial<Record<TelegramMode, Failure>> = {
  slow_down: { status: 429, description: 'Too Many Requests: retry after 7', parameters: { retry_after: 7 } },
  kicked: { status: 403, description: 'Forbidden: bot was kicked from the group chat' },
  no_chat: { status: 400, description: 'Bad Request: chat not found' },
  broken: { status: 500, description: 'Internal Server Error' },
  garbage: { status: 502, description: '', text: '<html>Bad Gateway</html>' },
  migrated: {
    status: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: migratedTo },
  },
}

function failureOf(mode: TelegramMode, document: SentDocument): Failure | null {
  if (mode === 'migrated' && document.chat === String(migratedTo)) return null
  return failures[mode] ?? null
}

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
