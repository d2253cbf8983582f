import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { bareParcels, bareReports, bareRows, type Row } from './bare-host.rows.ts'

/** A received call. `body` is parsed JSON; `parts` are the parts of a multipart form, with the names of files. */
export interface RecordedCall {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
  readonly parts: Readonly<Record<string, string>> | undefined
}

/** An API host that answers only the calls of the specification. It also serves a built web, so both have one origin. */
export interface BareHost {
  readonly url: string
  /** All calls to the API, oldest first. */
  readonly calls: RecordedCall[]
  close(): Promise<void>
}

/** The JSON shape of a list. */
export type ListShape = 'meta' | 'total_items' | 'array'

export interface BareHostOptions {
  /** The shape of all lists; by default the lists have different shapes. */
  readonly shape?: ListShape
  /** The answer to a call outside the specification: a status, 404 by default, or no answer. */
  readonly undescribed?: number | 'silence'
  /** Changes an answer. An undefined result is handled like a call outside the specification. */
  readonly transform?: (answer: unknown, call: RecordedCall) => unknown
}

/** `web` is the folder of the built web. */
export async function startBareHost(web: string, options: BareHostOptions = {}): Promise<BareHost> {
  const calls: RecordedCall[] = []
  const server = createServer((request, response) => {
    serve(request, response, { web, calls, options }).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Host {
  web: string
  calls: RecordedCall[]
  options: BareHostOptions
}

async function serve(request: IncomingMessage, response: ServerResponse, { web, calls, options }: Host) {
  const url = new URL(request.url ?? '/', 'http://host')
  if (!/^\/(?:api|parcel)\//.test(url.pathname)) return sendFile(response, web, url.pathname)
  const call = await record(request, url)
  calls.push(call)
  const { undescribed = 404, transform = (body: unknown) => body } = options
  const answer = transform(buildAnswer(call, options.shape), call)
  if (answer === undefined && undescribed === 'silence') return
  const status = answer === undefined ? Number(undescribed) : 200
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer === undefined ? { detail: 'Not described' } : answer))
}

const kinds: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Serves a file of the web. A path without an extension gets index.html. */
async function sendFile(response: ServerResponse, web: string, path: string) {
  const file = extname(path) === '' ? 'index.html' : normalize(path)
  const content = await readFile(join(web, file)).catch(() => null)
  if (content === null) return void response.writeHead(404).end()
  const kind = kinds[extname(file)] ?? 'application/octet-stream'
  response.writeHead(200, { 'content-type': kind }).end(content)
}

async function record(request: IncomingMessage, url: URL): Promise<RecordedCall> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  const raw = Buffer.concat(pieces)
  const kind = request.headers['content-type'] ?? ''
  const sharedParts = {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
  }
  if (!kind.startsWith('multipart/')) {
    return { ...sharedParts, body: raw.length > 0 ? JSON.parse(raw.toString()) : undefined, parts: undefined }
  }
  const form = await new Response(raw, { headers: { 'content-type': kind } }).formData()
  const parsedParts = [...form].map(([key, value]) => [key, typeof value === 'string' ? value : value.name])
  return { ...sharedParts, body: undefined, parts: Object.fromEntries(parsedParts) as Record<string, string> }
}

/** Answers undefined for a call outside the specification. */
function buildAnswer(call: RecordedCall, shape?: ListShape): unknown {
  const { method, path } = call
  if (method === 'POST' && path === '/parcel/auth/login')
    return buildLoginAnswer(call.parts?.['username'] ?? '')
  if (method === 'GET' && path === '/parcel/auth/me')
    return buildOwnPerson(String(call.headers.authorization))
  if (method === 'POST' && path === '/api/parcel/files/upload/') {
    return { sent_to_telegram: true, message: 'OK' }
  }
  const parcel = /^\/api\/parcel\/parcels\/([^/]+)$/.exec(path)?.[1]
  if (parcel === 'all' || parcel === 'search') return buildPage(bareParcels, call, shape)
  if (parcel !== undefined) return bareParcels.find(({ id }) => id === Number(parcel))
  const report = /^\/api\/(?:admin|user)\/report\/(\w+)$/.exec(path)?.[1]
  if (report !== undefined) return bareReports[report] && buildPage(bareReports[report], call, shape)
  return buildResourceAnswer(call, shape)
}

const people: Readonly<Record<string, Row>> = {
  admin: { id: 1, username: 'admin', email: 'admin@example.org', name: 'Admin', role: 'admin' },
  buyer: { id: 2, username: 'buyer', email: 'buyer@example.org', name: 'Buyer', role: 'buyer' },
}
const times = { createdAt: '2026-11-01T09:00:00+05:00', updatedAt: '2026-11-01T09:00:00+05:00' }

function buildLoginAnswer(username: string): Row | undefined {
  const person = people[username]
  return (
    person && { access_token: `token-of-${username}`, ...person, isActive: true, extra_id: null, ...times }
  )
}

const buildOwnPerson = (authorization: string) => {
  const person = people[authorization.replace('Bearer token-of-', '')]
  return person && { ...person, isActive: true, extra_id: null, ...times }
}

function buildResourceAnswer({ method, path, query, body }: RecordedCall, shape?: ListShape): unknown {
  const [, name = '', rest = ''] = /^\/api\/admin\/([\w-]+)\/(.*)$/.exec(path) ?? []
  const rows = bareRows[name]
  if (!rows) return undefined
  if (rest === '')
    return method === 'POST'
      ? { id: 9, ...(body as Row) }
      : buildPage(rows, { query }, shape ?? listShapes[name])
  const row = rows.find(({ id }) => id === Number.parseInt(rest, 10))
  if (!row || method !== 'GET') return row && { ...row, ...(body as Row | undefined) }
  return name === 'source-credentials' ? { items: [row] } : row
}

/** The shapes of lists as real hosts have them. Lists without an entry have `{items, meta}`. */
const listShapes: Readonly<Record<string, ListShape>> = {
  roles: 'total_items',
  'cpa-sources': 'array',
  'cpa-websites': 'total_items',
  'status-types': 'array',
  statuses: 'total_items',
}

function buildPage(
  rows: readonly Row[],
  { query }: Pick<RecordedCall, 'query'>,
  shape: ListShape = 'meta',
): unknown {
  if (shape === 'array') return rows
  const size = Number(query['per_page'] ?? query['limit'] ?? 10)
  const skip = Number(query['skip'] ?? (Number(query['page'] ?? 1) - 1) * size)
  const items = rows.slice(skip, skip + size)
  return shape === 'total_items'
    ? { items, total_items: rows.length }
    : { items, meta: buildMeta(skip, size, items.length, rows.length) }
}

function buildMeta(skip: number, size: number, shownCount: number, total: number) {
  const current = Math.floor(skip / size) + 1
  const last = Math.max(1, Math.ceil(total / size))
  return {
    current_page: current,
    last_page: last,
    items_on_page: shownCount,
    per_page: size,
    total,
    filtered_total: total,
    has_next: current < last,
    has_previous: current > 1,
    next_page: current < last ? current + 1 : null,
    prev_page: current > 1 ? current - 1 : null,
    page_range: Array.from({ length: last }, (_, index) => index + 1),
  }
}
