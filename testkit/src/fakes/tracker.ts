import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The behaviour of the fake: `ok`, or a failure of real trackers. `lost` counts a postback and drops the connection
 * without an answer.
 */
export type TrackerMode =
  | 'ok'
  | 'slow'
  | 'busy'
  | 'busy_until'
  | 'broken'
  | 'unknown'
  | 'redirect'
  | 'hang'
  | 'drop'
  | 'lost'

/** A received postback. */
export interface TrackerRequest {
  path: string
  params: Readonly<Record<string, string>>
  /** The path and the query. */
  url: string
  /** True if the tracker counted the postback. */
  isCounted: boolean
}

export interface FakeTracker {
  url: string
  mode: TrackerMode
  /** The modes of single paths. `mode` applies to all other paths. */
  readonly modes: Map<string, TrackerMode>
  /** Milliseconds that `slow` takes. */
  delay: number
  /** Seconds in the Retry-After of `busy` (a number) and `busy_until` (a date). */
  retryAfterSeconds: number
  /** The target of `redirect`. */
  redirectUrl: string
  /** All requests, oldest first. */
  readonly requests: TrackerRequest[]
  /** The maximum number of requests at the same time. */
  readonly maxConcurrent: number
  close(): Promise<void>
}

/** Starts a media buyer's tracker. It receives postbacks by GET and stores their parameters. */
export async function startTracker(port = 0): Promise<FakeTracker> {
  let open = 0
  let maxOpen = 0
  const server = createServer((request, response) => {
    open++
    maxOpen = Math.max(maxOpen, open)
    response.on('close', () => open--)
    answer(fake, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const fake: FakeTracker = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'ok',
    modes: new Map(),
    delay: 1000,
    retryAfterSeconds: 7,
    redirectUrl: 'http://127.0.0.1/',
    requests: [],
    get maxConcurrent() {
      return maxOpen
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return fake
}

const countingModes: ReadonlySet<TrackerMode> = new Set(['ok', 'slow', 'lost'])

async function answer(fake: FakeTracker, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams, search } = new URL(request.url ?? '/', fake.url)
  const mode = fake.modes.get(pathname) ?? fake.mode
  if (mode === 'drop') return void request.socket.resetAndDestroy()
  if (mode === 'slow') await new Promise((resolve) => setTimeout(resolve, fake.delay))
  fake.requests.push({
    path: pathname,
    params: Object.fromEntries(searchParams),
    url: pathname + search,
    isCounted: countingModes.has(mode),
  })
  if (mode === 'hang') return
  if (mode === 'lost') return void request.socket.resetAndDestroy()
  const { status, headers } = answers(fake)[mode]
  response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(status === 200 ? 'OK' : 'No')
}

interface Answer {
  status: number
  headers?: Record<string, string>
}

function answers(fake: FakeTracker): Record<Exclude<TrackerMode, 'drop' | 'hang' | 'lost'>, Answer> {
  return {
    ok: { status: 200 },
    slow: { status: 200 },
    busy: { status: 429, headers: { 'retry-after': String(fake.retryAfterSeconds) } },
    busy_until: {
      status: 429,
      headers: {
        date: new Date().toUTCString(),
        'retry-after': new Date(Date.now() + fake.retryAfterSeconds * 1000).toUTCString(),
      },
    },
    broken: { status: 500 },
    unknown: { status: 404 },
    redirect: { status: 302, headers: { location: fake.redirectUrl } },
  }
}
