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
 * beyond the limit of one address, except `behindProxy`, where all clients have one address.
 */
export function watchConnections(
  server: Server,
  timeouts: ClientTimeouts,
  behindProxy: boolean,
): ConnectionControl {
  const blockedUntil = new Map<string, number>()
  const watchedBySocket = new Map<Socket, WatchedConnection>()
  const countByAddress = new Map<string, number>()
  trackOpenAnswers(server)
  server.maxConnections = maxConnections
  server.on('connection', (socket: Socket) => {
    const address = addressKey(socket.remoteAddress ?? '')
    const count = (countByAddress.get(address) ?? 0) + 1
    if (count > maxConnectionsPerAddress && !behindProxy) {
      countRefusal('connections_of_address')
      return void socket.destroy()
    }
    countByAddress.set(address, count)
    startChecks()
    watchedBySocket.set(socket, {
      request: null,
      response: null,
      marks: { body: null, reading: null },
      isTimedOut: false,
    })
    socket.once('close', () => {
      watchedBySocket.delete(socket)
      const remainingCount = (countByAddress.get(address) ?? 0) - 1
      if (remainingCount > 0) countByAddress.set(address, remainingCount)
      else countByAddress.delete(address)
    })
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = watchedBySocket.get(request.socket)
    if (connection === undefined) return
    connection.request = request
    connection.response = response
    connection.marks = { body: null, reading: null }
  })
  let lastCheck = 0
  const checkConnections = () => {
    const now = performance.now()
    // After this process was blocked, bytes that have arrived are not read yet, so the intervals start again.
    const wasBlocked =
      now - lastCheck >
      timeouts.checkInterval + Math.min(timeouts.body.interval, timeouts.response.interval) / 2
    lastCheck = now
    for (const [socket, connection] of watchedBySocket) {
      if (wasBlocked) connection.marks = { body: null, reading: null }
      else checkProgress(socket, connection, { timeouts, now })
    }
    closeSlowReaders([...watchedBySocket.keys()])
    for (const [address, until] of blockedUntil) if (until <= now) blockedUntil.delete(address)
    if (watchedBySocket.size === 0 && blockedUntil.size === 0) stopChecks()
  }
  // A process without connections runs no timer.
  let timer: NodeJS.Timeout | undefined
  const startChecks = () => {
    if (timer !== undefined) return
    lastCheck = performance.now()
    timer = setInterval(checkConnections, timeouts.checkInterval).unref()
  }
  const stopChecks = () => {
    clearInterval(timer)
    timer = undefined
  }
  server.once('close', stopChecks)
  const addressOf = (socket: Socket) => addressKey(socket.remoteAddress ?? '')
  return {
    closeNow: closeSocketNow,
    blockAddress(socket) {
      if (!behindProxy) blockedUntil.set(addressOf(socket), performance.now() + addressBlockDuration)
      closeSocketNow(socket)
    },
    isBlocked: (socket) => (blockedUntil.get(addressOf(socket)) ?? 0) > performance.now(),
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
