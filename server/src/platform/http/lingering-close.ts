import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { listOpenAnswers } from './open-answers.ts'

/**
 * Lets a client that is still sending its body read the last answer of a connection. Node would close the connection at
 * once. The client then fails to send and often drops the answer, for example a 413 (RFC 9112, section 9.6). Instead the
 * rest of the body is read and dropped. The limits of a body that arrives stay in force. Call it after `trackOpenAnswers`.
 */
export function delayCloseDuringBody(server: Server): void {
  server.on('connection', (socket: Socket) => {
    // Node calls this method after the last answer. This is internal to Node; a test checks it.
    const closeWhenSent = socket.destroySoon.bind(socket)
    socket.destroySoon = () => {
      const request = listOpenAnswers(socket).at(-1)?.req
      if (request === undefined || request.complete) return closeWhenSent()
      socket.end()
      request.once('end', closeWhenSent).unpipe().resume()
    }
  })
}
