import { addAbortListener } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { queuedRequestTimeout } from '../limits/limits.ts'
import { AppError } from './errors.ts'

const endControllers = new WeakMap<Socket, AbortController>()

/** A signal that aborts with an AppError (400) when the connection of a request closes, or if it is closed already. */
export function getConnectionEndSignal({ raw: { socket } }: FastifyRequest): AbortSignal {
  const controller = endControllers.get(socket)
  if (controller !== undefined) return controller.signal
  const end = new AbortController()
  endControllers.set(socket, end)
  const abort = () => end.abort(new AppError('connection_ended'))
  if (socket.destroyed) abort()
  else socket.once('close', abort)
  return end.signal
}

/** The options with which a request waits in the queue of a limit: a timeout, and the end of its connection. */
export const buildQueueOptions = (request: FastifyRequest) => ({
  timeout: queuedRequestTimeout,
  signal: getConnectionEndSignal(request),
})

/**
 * Waits for `work`, which waits for data of the client, until the connection of the request closes.
 * Errors: 400 when the connection closes.
 */
export async function waitUnlessDisconnected<T>(request: FastifyRequest, work: Promise<T>): Promise<T> {
  const end = getConnectionEndSignal(request)
  const disconnection = Promise.withResolvers<never>()
  const reject = () => disconnection.reject(end.reason)
  if (end.aborted) reject()
  const listener = addAbortListener(end, reject)
  try {
    return await Promise.race([work, disconnection.promise])
  } finally {
    listener[Symbol.dispose]()
  }
}
