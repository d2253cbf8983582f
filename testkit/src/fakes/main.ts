// The demo's networks and courier, each under its own path of one address. The launcher opens the socket and passes it
// to this process. The process ends with the launcher.
import { createServer, type RequestListener } from 'node:http'
import type { Server } from 'node:net'
import { listActsAt, listParcelsAt } from './measoft.clock.ts'
import { createMeasoftHandler } from './measoft.ts'
import { createStreams } from './network.store.ts'
import { ClockStore } from './network.clock.ts'
import { createNetworkHandler } from './network.ts'

/** The login of the demo's accounts; see server/src/demo. */
const account = { login: 'aziz@example.uz', pass: 'demo' }

/** The header of a request says when the demo opened its account, in milliseconds since 1970. */
function createNetwork(dialect: '100k' | 'sotuvchi', first: number, names: string[]): RequestListener {
  const store = new ClockStore(createStreams(first, names))
  const { onRequest } = createNetworkHandler({ ...account, dialect, store, pageSize: 100 })
  return (request, response) => {
    store.openedAt = Number(request.headers['x-account-opened'] ?? 0)
    onRequest(request, response)
  }
}
const courier = createMeasoftHandler({ ...account, extra: 'demo' })
const startedAt = Date.now()

/** The number of published statuses of each parcel. */
const publishedCounts = new Map<string, number>()
function updateCourier(openedAt: number): void {
  const now = Date.now()
  for (const parcel of listParcelsAt(now, openedAt)) {
    if (publishedCounts.get(parcel.orderno) === parcel.statuses.length) continue
    publishedCounts.set(parcel.orderno, parcel.statuses.length)
    courier.state.publish(parcel)
  }
  courier.state.acts = new Map(listActsAt(now, openedAt).map((act) => [act.code, act]))
}

/** The URL of an account says when the demo opened it. Older demos do not have this time. */
const answerCourier: RequestListener = (request, response) => {
  const openedText = new URL(request.url ?? '/', 'http://courier').searchParams.get('opened')
  updateCourier(openedText === null ? startedAt - 3600_000 : Number(openedText))
  courier.onRequest(request, response)
}

const parts: Readonly<Record<string, RequestListener>> = {
  '100k': createNetwork('100k', 9101, ['Reels · Smart soat', 'TikTok · Massajyor', 'Telegram · Krossovka']),
  sotuvchi: createNetwork('sotuvchi', 9201, ['Quloqchin', 'Termos']),
  measoft: answerCourier,
}

/** Serves `/fake/<part>/...`. The demo recognizes its own rows by this prefix. */
const server = createServer((request, response) => {
  const [, name = '', rest = ''] = /^\/fake\/(\w+)(\/.*)$/.exec(request.url ?? '') ?? []
  const part = parts[name]
  if (part === undefined) return void response.writeHead(404).end()
  request.url = rest
  part(request, response)
})

// Ctrl-C in a terminal reaches all processes. The product may still wait for an answer, so this process continues.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit())
process.on('message', (_, handle) => server.listen(handle as Server))
