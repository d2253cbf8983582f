// The networks and the courier of the demo, each under a path of its own at one address, which the launcher opens
// and hands over. Ends when the launcher does, however that ends.
import { createServer, type RequestListener } from 'node:http'
import type { Server } from 'node:net'
import { parcelsAt } from './measoft.clock.ts'
import { playMeasoft } from './measoft.ts'
import { bookStreams } from './network.book.ts'
import { ClockBook } from './network.clock.ts'
import { playNetwork } from './network.ts'

/** What server/src/demo gives the demo's accounts. */
const account = { login: 'aziz@example.uz', pass: 'demo' }
/** Milliseconds between two looks at what the courier's parcels have come to. */
const look = 5000

const network = (shape: '100k' | 'sotuvchi', first: number, names: string[]) =>
  playNetwork({ ...account, shape, book: new ClockBook(bookStreams(first, names)) }).onRequest
const courier = playMeasoft({ ...account, extra: 'demo' })

const known = new Map<string, number>()
function tellParcels(): void {
  for (const parcel of parcelsAt(Date.now())) {
    if (known.get(parcel.orderno) === parcel.statuses.length) continue
    known.set(parcel.orderno, parcel.statuses.length)
    courier.stand.tell(parcel)
  }
}

const parts: Readonly<Record<string, RequestListener>> = {
  '100k': network('100k', 9101, ['Reels · Smart soat', 'TikTok · Massajyor', 'Telegram · Krossovka']),
  sotuvchi: network('sotuvchi', 9201, ['Quloqchin', 'Termos']),
  measoft: courier.onRequest,
}

/** `/fake/<part>/...`: no other address is spelled so, and the demo's own rows are known by it. */
const server = createServer((request, response) => {
  const [, name = '', rest = ''] = /^\/fake\/(\w+)(\/.*)$/.exec(request.url ?? '') ?? []
  const part = parts[name]
  if (part === undefined) return void response.writeHead(404).end()
  request.url = rest
  part(request, response)
})

// A Ctrl-C in a terminal reaches everybody; the product may have something under way here still.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit())
process.on('message', (_, opened) => server.listen(opened as Server))
tellParcels()
setInterval(tellParcels, look)
