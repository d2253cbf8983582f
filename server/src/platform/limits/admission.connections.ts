import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConnectionControl } from '../http/connections.ts'
import { listOpenAnswers } from '../http/open-answers.ts'
import { countRefusal, type RefusalReason } from '../http/refusals.ts'
import { maxPipelinedRequests } from './limits.ts'

/**
 * Closes the connection of a request, and answers false, if its address is blocked or the connection has too many
 * unanswered requests.
 */
export function admitOnConnection(
  connections: ConnectionControl,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const { socket } = request.raw
  // The connection closed before this pipelined request, or the client has reset it. Nobody reads an answer.
  if (socket.destroyed || socket.remoteAddress === undefined) {
    socket.destroy()
    reply.hijack()
    return false
  }
  // A signed-in person may share the blocked address, so requests with a token pass.
  if (request.headers.authorization === undefined && connections.isBlocked(socket)) {
    connections.closeNow(socket)
    reply.hijack()
    return false
  }
  if (listOpenAnswers(socket).length <= maxPipelinedRequests) return true
  refuseAddress(connections, { request, reply, reason: 'pipelined' })
  return false
}

/** Closes the connection of a request without an answer, and blocks its address. */
export function refuseAddress(
  connections: ConnectionControl,
  { request, reply, reason }: { request: FastifyRequest; reply: FastifyReply; reason: RefusalReason },
): void {
  countRefusal(reason)
  connections.blockAddress(request.raw.socket)
  reply.hijack()
}
