import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ClientPatience, Pace } from '../../config.ts'
import { addressKey } from '../limits/address-key.ts'
import { answerBrokenRequest } from './error-handler.ts'
import {
  bodyPaceBytes,
  bodyPaceWithin,
  excludedFor,
  headersWithin,
  maxConnections,
  maxConnectionsOfAddress,
  maxUnreadBytes,
  readingPaceBytes,
  readingPaceWithin,
  requestWithin,
} from '../limits/limits.ts'
import { countRefusal } from './refusals.ts'

export const usualPatience: ClientPatience = {
  every: 1000,
  headers: headersWithin,
  request: requestWithin,
  body: { within: bodyPaceWithin, bytes: bodyPaceBytes },
  reading: { within: readingPaceWithin, bytes: readingPaceBytes },
}

interface Mark {
  at: number
  bytes: number
}

/** A connection, and the newest request on it. `marks`: since when, and from which count on, each way is measured. */
interface Watched {
  request: IncomingMessage | null
  response: ServerResponse | null
  marks: { body: Mark | null; reading: Mark | null }
  cut: boolean
}

/** What is done about connections that ask too much. */
export interface Connections {
  /** Ends a connection at once, with all that came on it. */
  cutOff: (socket: Socket) => void
  /** The same, and for a while nobody without a token is heard from its address. */
  exclude: (socket: Socket) => void
  isExcluded: (socket: Socket) => boolean
}

/**
 * Cuts off who holds a connection and lets nothing through: a body that comes too slowly is answered with 408, an
 * answer that nobody takes is ended, and with it whatever it holds (an export its connection of the database).
 * Refuses connections beyond what one address may have; `behindProxy`: an address stands for everybody.
 */
export function watchConnections(
  server: Server,
  patience: ClientPatience,
  behindProxy: boolean,
): Connections {
  const excluded = new Map<string, number>()
  const open = new Map<Socket, Watched>()
  const addresses = new Map<string, number>()
  server.maxConnections = maxConnections
  server.on('connection', (socket: Socket) => {
    const address = addressKey(socket.remoteAddress ?? '')
    const count = (addresses.get(address) ?? 0) + 1
    if (count > maxConnectionsOfAddress && !behindProxy) {
      countRefusal('connections_of_address')
      return void socket.destroy()
    }
    addresses.set(address, count)
    open.set(socket, { request: null, response: null, marks: { body: null, reading: null }, cut: false })
    socket.once('close', () => {
      open.delete(socket)
      const left = (addresses.get(address) ?? 0) - 1
      if (left > 0) addresses.set(address, left)
      else addresses.delete(address)
    })
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const watched = open.get(request.socket)
    if (watched === undefined) return
    watched.request = request
    watched.response = response
    watched.marks = { body: null, reading: null }
  })
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // Where the process itself stood still, what came meanwhile is not read yet.
    const stood = now - last > patience.every + Math.min(patience.body.within, patience.reading.within) / 2
    last = now
    for (const [socket, watched] of open) {
      if (stood) watched.marks = { body: null, reading: null }
      else look(socket, watched, patience, now)
    }
    cutUnread([...open.keys()])
    for (const [address, until] of excluded) if (until <= now) excluded.delete(address)
  }, patience.every).unref()
  server.once('close', () => clearInterval(timer))
  const addressOf = (socket: Socket) => addressKey(socket.remoteAddress ?? '')
  return {
    cutOff,
    exclude(socket) {
      if (!behindProxy) excluded.set(addressOf(socket), performance.now() + excludedFor)
      cutOff(socket)
    },
    isExcluded: (socket) => (excluded.get(addressOf(socket)) ?? 0) > performance.now(),
  }
}

/**
 * Ends a connection at once. Node would otherwise make a request of each message in the 64 kB that it has read: of some
 * hundred connections that takes seconds and gigabytes. Its parser stops where it is told that what follows is another
 * protocol (2); it belongs to Node's own parts, and a test holds that it does so.
 */
function cutOff(socket: Socket & { parser?: { onIncoming?: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2
  socket.destroy()
}

/** Where answers that nobody reads fill the memory, those who read least are cut off. */
function cutUnread(sockets: readonly Socket[]): void {
  let unread = sockets.reduce((sum, { writableLength }) => sum + writableLength, 0)
  if (unread <= maxUnreadBytes) return
  for (const socket of sockets.toSorted((a, b) => b.writableLength - a.writableLength)) {
    if (unread <= maxUnreadBytes) return
    unread -= socket.writableLength
    countRefusal('slow_reader')
    socket.destroy()
  }
}

function look(socket: Socket, watched: Watched, patience: ClientPatience, now: number): void {
  const { request, response, marks } = watched
  if (watched.cut) return void socket.destroy()
  if (request === null || response === null) return
  // Where some of the body lies unread it is the server that takes its time.
  const sending = !request.complete && request.readableLength === 0
  marks.body = sending ? marked(marks.body, socket.bytesRead, patience.body, now) : null
  const taken = socket.bytesWritten - socket.writableLength
  const reading = socket.writableLength > 0
  marks.reading = reading ? marked(marks.reading, taken, patience.reading, now) : null
  if (isOver(marks.body, patience.body, now)) {
    countRefusal('slow_body')
    watched.cut = true
    if (response.headersSent) socket.destroy()
    else answerBrokenRequest(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  } else if (isOver(marks.reading, patience.reading, now)) {
    countRefusal('slow_reader')
    socket.destroy()
  }
}

/** The mark from which a way is measured: a new one as soon as enough came through. */
function marked(mark: Mark | null, bytes: number, pace: Pace, now: number): Mark {
  return mark === null || bytes - mark.bytes >= pace.bytes ? { at: now, bytes } : mark
}

const isOver = (mark: Mark | null, { within }: Pace, now: number) => mark !== null && now - mark.at >= within
