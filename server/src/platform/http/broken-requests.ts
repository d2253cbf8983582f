import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from './errors.ts'
import { listOpenAnswers } from './open-answers.ts'
import { refusalHeaders } from './security-headers.ts'

const waitingSockets = new WeakSet<Socket>()

/**
 * The answers that a client gets before the answer to the broken end of what it sent. A request that has not arrived
 * completely is the broken one, and gets no other answer unless it has begun.
 */
export const listEarlierAnswers = (socket: Socket): ServerResponse[] =>
  listOpenAnswers(socket).filter(({ req, headersSent }) => req.complete || headersSent)

/**
 * Answers a message that is not a valid HTTP request, directly on the socket, and closes the connection. Waits for the answers to
 * earlier requests on the connection, because the text would otherwise stand in place of them or among their bytes.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (waitingSockets.has(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy(error)
  const lastAnswer = listEarlierAnswers(socket).at(-1)
  if (lastAnswer === undefined) return sendRefusal(error, socket)
  waitingSockets.add(socket)
  lastAnswer.once('close', () => {
    waitingSockets.delete(socket)
    // An answer that closes its connection is the last one.
    if (socket.writable) answerBrokenRequest(error, socket)
  })
}

function sendRefusal(error: NodeJS.ErrnoException, socket: Socket): void {
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const body = JSON.stringify(new AppError('request_unreadable').problem())
  const head = [
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    'connection: close',
    ...Object.entries(refusalHeaders).map(([name, value]) => `${name}: ${value}`),
  ]
  // An answer to HEAD has no body: the client would read it as the next answer.
  const { rawPacket: packet } = error as { rawPacket?: unknown }
  const isHead = Buffer.isBuffer(packet) && packet.toString('latin1', 0, 5) === 'HEAD '
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('\r\n')}\r\n\r\n${isHead ? '' : body}`,
  )
}
