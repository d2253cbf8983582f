import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * How the fake behaves: `ok`, or one of the bad days that trackers have. `lost` takes a postback and drops the
 * connection before it says so.
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

/** A postback that arrived. */
export interface TrackerHit {
  path: string
  params: Readonly<Record<string, string>>
  /** As it came, path and query. */
  url: string
  /** Whether the tracker counted it. */
  taken: boolean
}

export interface Tracker {
  url: string
  mode: TrackerMode
  /** Modes of single paths; `mode` holds for all others. */
  readonly modes: Map<string, TrackerMode>
  /** Milliseconds that `slow` takes. */
  delay: number
  /** Seconds that `busy` asks to wait, as a number; `busy_until` as a date. */
  wait: number
  /** Where `redirect` points. */
  elsewhere: string
  /** Whatever arrived, oldest first. */
  readonly hits: TrackerHit[]
  /** How many were open at once at the most. */
  readonly most: number
  close(): Promise<void>
}

/** A media buyer's tracker: takes postbacks by GET and keeps what they said. */
export async function startTracker(port = 0): Promise<Tracker> {
  let open = 0
  let most = 0
  const server = createServer((request, response) => {
    open++
    most = Math.max(most, open)
    response.on('close', () => open--)
    answer(stand, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const stand: Tracker = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'ok',
    modes: new Map(),
    delay: 1000,
    wait: 7,
    elsewhere: 'http://127.0.0.1/',
    hits: [],
    get most() {
      return most
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return stand
}

const taking: ReadonlySet<TrackerMode> = new Set(['ok', 'slow', 'lost'])

async function answer(stand: Tracker, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams, search } = new URL(request.url ?? '/', stand.url)
  const mode = stand.modes.get(pathname) ?? stand.mode
  if (mode === 'drop') return void request.socket.resetAndDestroy()
  if (mode === 'slow') await new Promise((resolve) => setTimeout(resolve, stand.delay))
  stand.hits.push({
    path: pathname,
    params: Object.fromEntries(searchParams),
    url: pathname + search,
    taken: taking.has(mode),
  })
  if (mode === 'hang') return
  if (mode === 'lost') return void request.socket.resetAndDestroy()
  const { status, headers } = answers(stand)[mode]
  response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(status === 200 ? 'OK' : 'No')
}

interface Answer {
  status: number
  headers?: Record<string, string>
}

function answers(stand: Tracker): Record<Exclude<TrackerMode, 'drop' | 'hang' | 'lost'>, Answer> {
  return {
    ok: { status: 200 },
    slow: { status: 200 },
    busy: { status: 429, headers: { 'retry-after': String(stand.wait) } },
    busy_until: {
      status: 429,
      headers: {
        date: new Date().toUTCString(),
        'retry-after': new Date(Date.now() + stand.wait * 1000).toUTCString(),
      },
    },
    broken: { status: 500 },
    unknown: { status: 404 },
    redirect: { status: 302, headers: { location: stand.elsewhere } },
  }
}
