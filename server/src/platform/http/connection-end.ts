import { addAbortListener } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

const ends = new WeakMap<Socket, AbortController>()

/** Aborted when the connection of a request ends; at once where it ended before this is asked. */
export function connectionEnd({ raw: { socket } }: FastifyRequest): AbortSignal {
  const known = ends.get(socket)
  if (known !== undefined) return known.signal
  const end = new AbortController()
  ends.set(socket, end)
  if (socket.destroyed) end.abort()
  else socket.once('close', () => end.abort())
  return end.signal
}

/**
 * Waits for `work`, unless the connection of its request ends before: nothing that a client is to send comes after
 * that, and nobody reads an answer. Errors: 400 when the connection ended.
 */
export async function unlessGone<T>(request: FastifyRequest, work: Promise<T>): Promise<T> {
  const end = connectionEnd(request)
  const gone = Promise.withResolvers<never>()
  const reject = () => gone.reject(new AppError('malformed', 'The connection ended before the request did.'))
  if (end.aborted) reject()
  const listener = addAbortListener(end, reject)
  try {
    return await Promise.race([work, gone.promise])
  } finally {
    listener[Symbol.dispose]()
  }
}
