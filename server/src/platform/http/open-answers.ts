import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const openAnswersBySocket = new WeakMap<Socket, Set<ServerResponse>>()

/** Records the answers of each connection until they are sent. Call it before other listeners of `request` run. */
export function trackOpenAnswers(server: Server): void {
  server.prependListener('request', ({ socket }, response) => {
    const answers = openAnswersBySocket.get(socket) ?? new Set()
    openAnswersBySocket.set(socket, answers.add(response))
    response.once('close', () => answers.delete(response))
  })
}

/** The answers of a connection that are not sent yet, in the order of their requests. */
export const listOpenAnswers = (socket: Socket): ServerResponse[] => [
  ...(openAnswersBySocket.get(socket) ?? []),
]
