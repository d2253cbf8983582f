import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ClientTimeouts, MinThroughput } from '../../config.clients.ts'
import { addressKey } from '../limits/address-key.ts'
import { answerBrokenRequest, listEarlierAnswers } from './broken-requests.ts'
import {
  minBodyBytesPerInterval,
  bodyProgressInterval,
  addressBlockDuration,
  headersTimeout,
  maxConnections,
  maxConnectionsPerAddress,
  maxUnsentResponseBytes,
  minResponseBytesPerInterval,
  responseProgressInterval,
  requestTimeout,
} from '../limits/limits.ts'
import { delayCloseDuringBody } from './lingering-close.ts'
import { trackOpenAnswers } from './open-answers.ts'
import { countRefusal } from './refusals.ts'

export const defaultClientTimeouts: ClientTimeouts = {
  checkInterval: 1000,
  headers: headersTimeout,
  request: requestTimeout,
  body: { interval: bodyProgressInterval, bytes: minBodyBytesPerInterval },
  response: { interval: responseProgressInterval, bytes: minResponseBytesPerInterval },
}

interface ProgressMark {
  at: number
  bytes: number
}

/**
 * A connection and its newest request. `marks`: when the current interval of each direction began, and its byte count
 * then.
 */
interface WatchedConnection {
  request: IncomingMessage | null
  response: ServerResponse | null
  marks: { body: ProgressMark | null; reading: ProgressMark | null }
  isTimedOut: boolean
}

/** Closes connections, and blocks addresses. */
export interface ConnectionControl {
  /** Closes a connection at once and drops the data that it has sent. */
  closeNow: (socket: Socket) => void
  /** Closes a connection, and refuses requests without a token from its address for `addressBlockDuration`. */
  blockAddress: (socket: Socket) => void
  isBlocked: (socket: Socket) => boolean
}

/**
 * Closes connections that make too little progress. A slow body is answered with 408. An answer that the client does
 * not read is aborted, which frees its resources: an export holds a connection of the database. Refuses connections
 * beyond the limit of one address, except `isBehindProxy`, where all clients have one address.
 */
export function watchConnections(
  server: Server,
  timeouts: ClientTimeouts,
  isBehindProxy: boolean,
): ConnectionControl {
  const blocks = new AddressBlocks()
  const counts = new ConnectionCounts()
  const watchedBySocket = new Map<Socket, WatchedConnection>()
  trackOpenAnswers(server)
  delayCloseDuringBody(server)
  server.maxConnections = maxConnections
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket)
    if (!isBehindProxy && counts.get(address) >= maxConnectionsPerAddress) {
      countRefusal('connections_of_address')
      return void socket.destroy()
    }
    counts.add(address, 1)
    timer.start()
    watchedBySocket.set(socket, {
      request: null,
      response: null,
      marks: { body: null, reading: null },
      isTimedOut: false,
    })
    socket.once('close', () => {
      watchedBySocket.delete(socket)
      counts.add(address, -1)
    })
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = watchedBySocket.get(request.socket)
    if (connection === undefined) return
    connection.request = request
    connection.response = response
    connection.marks = { body: null, reading: null }
  })
  const timer = createCheckTimer(timeouts.checkInterval, (now, sinceLastCheck) => {
    // After this process was blocked, bytes that have arrived are not read yet, so the intervals start again.
    const wasBlocked =
      sinceLastCheck >
      timeouts.checkInterval + Math.min(timeouts.body.interval, timeouts.response.interval) / 2
    for (const [socket, connection] of watchedBySocket) {
      if (wasBlocked) connection.marks = { body: null, reading: null }
      else checkProgress(socket, connection, { timeouts, now })
    }
    closeSlowReaders([...watchedBySocket.keys()])
    blocks.removeEnded(now)
    // A process without connections runs no timer.
    if (watchedBySocket.size === 0 && blocks.isEmpty()) timer.stop()
  })
  server.once('close', timer.stop)
  return {
    closeNow: closeSocketNow,
    blockAddress(socket) {
      if (!isBehindProxy) blocks.add(addressOf(socket))
      closeSocketNow(socket)
    },
    isBlocked: (socket) => blocks.has(addressOf(socket)),
  }
}

const addressOf = (socket: Socket) => addressKey(socket.remoteAddress ?? '')

/** The number of open connections by address. */
class ConnectionCounts {
  readonly #counts = new Map<string, number>()

  get(address: string): number {
    return this.#counts.get(address) ?? 0
  }

  add(address: string, change: 1 | -1): void {
    const count = this.get(address) + change
    if (count > 0) this.#counts.set(address, count)
    else this.#counts.delete(address)
  }
}

/** The blocked addresses, each for `addressBlockDuration`. */
class AddressBlocks {
  readonly #endByAddress = new Map<string, number>()

  add(address: string): void {
    this.#endByAddress.set(address, performance.now() + addressBlockDuration)
  }

  has(address: string): boolean {
    return (this.#endByAddress.get(address) ?? 0) > performance.now()
  }

  isEmpty(): boolean {
    return this.#endByAddress.size === 0
  }

  removeEnded(now: number): void {
    for (const [address, end] of this.#endByAddress) if (end <= now) this.#endByAddress.delete(address)
  }
}

/** A timer that calls `check` with the present and the time since the last check or the start, until it is stopped. */
function createCheckTimer(interval: number, check: (now: number, sinceLastCheck: number) => void) {
  let timer: NodeJS.Timeout | undefined
  let lastCheck = 0
  const runCheck = () => {
    const now = performance.now()
    const sinceLastCheck = now - lastCheck
    lastCheck = now
    check(now, sinceLastCheck)
  }
  return {
    start: () => {
      if (timer !== undefined) return
      lastCheck = performance.now()
      timer = setInterval(runCheck, interval).unref()
    },
    stop: () => {
      clearInterval(timer)
      timer = undefined
    },
  }
}

/**
 * Closes a connection and stops its parser. Otherwise Node would create a request for each message in the 64 kB that it
 * has read, which takes seconds and gigabytes for some hundred connections. Node's parser stops when `onIncoming`
 * returns 2 (another protocol follows). This is internal to Node; a test checks it.
 */
function closeSocketNow(socket: Socket & { parser?: { onIncoming?: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2
  socket.destroy()
}

/** When unread answers take too much memory, closes the connections with the most unread bytes. */
function closeSlowReaders(sockets: readonly Socket[]): void {
  let unreadBytes = sockets.reduce((sum, { writableLength }) => sum + writableLength, 0)
  if (unreadBytes <= maxUnsentResponseBytes) return
  for (const socket of sockets.toSorted((a, b) => b.writableLength - a.writableLength)) {
    if (unreadBytes <= maxUnsentResponseBytes) return
    unreadBytes -= socket.writableLength
    countRefusal('slow_reader')
    socket.destroy()
  }
}

function checkProgress(
  socket: Socket,
  connection: WatchedConnection,
  { timeouts, now }: { timeouts: ClientTimeouts; now: number },
): void {
  const { request, response, marks } = connection
  // Answers to earlier requests on the connection are sent first.
  if (connection.isTimedOut && listEarlierAnswers(socket).length === 0) return void socket.destroy()
  if (request === null || response === null) return
  // With unread bytes in the buffer the server is slow, and not the client.
  const isSending = !request.complete && request.readableLength === 0
  marks.body = isSending
    ? updateMark(marks.body, { bytes: socket.bytesRead, minThroughput: timeouts.body, now })
    : null
  const bytesDelivered = socket.bytesWritten - socket.writableLength
  const isReading = socket.writableLength > 0
  marks.reading = isReading
    ? updateMark(marks.reading, { bytes: bytesDelivered, minThroughput: timeouts.response, now })
    : null
  if (!connection.isTimedOut && isTooSlow(marks.body, timeouts.body, now)) {
    countRefusal('slow_body')
    connection.isTimedOut = true
    if (!response.headersSent)
      answerBrokenRequest(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  } else if (isTooSlow(marks.reading, timeouts.response, now)) {
    countRefusal('slow_reader')
    socket.destroy()
  }
}

/** Starts a new interval when enough bytes were transferred. */
function updateMark(
  mark: ProgressMark | null,
  { bytes, minThroughput, now }: { bytes: number; minThroughput: MinThroughput; now: number },
): ProgressMark {
  return mark === null || bytes - mark.bytes >= minThroughput.bytes ? { at: now, bytes } : mark
}

const isTooSlow = (mark: ProgressMark | null, { interval }: MinThroughput, now: number) =>
  mark !== null && now - mark.at >= interval
