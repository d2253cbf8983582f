import type { FastifyRequest } from 'fastify'
import { getAnnouncedBodyBytes } from './incoming-bodies.ts'
import { createRefusalError } from '../limits/concurrency-limit.ts'
import { maxBodyBytes, maxBodyBytesPerPerson } from '../limits/limits.ts'

/** Limits the bytes of one person's request bodies in memory. A body counts until its request is answered. */
export class BodyBytesLimit {
  readonly #bytesByUser = new Map<number, number>()
  readonly #endByRequest = new Map<FastifyRequest, () => void>()

  /** Bytes of all people. */
  get inUse(): number {
    return [...this.#bytesByUser.values()].reduce((sum, each) => sum + each, 0)
  }

  /** Errors: 429 above the limit of this person. */
  begin(request: FastifyRequest, userId: number): void {
    // A file is written to the disk while it arrives.
    if (request.headers['content-type']?.startsWith('multipart/') === true) return
    const bytes = Math.min(getAnnouncedBodyBytes(request), maxBodyBytes)
    if (bytes === 0) return
    const sum = (this.#bytesByUser.get(userId) ?? 0) + bytes
    if (sum > maxBodyBytesPerPerson)
      throw createRefusalError('too_many_requests', 'bytes_of_person', 'Too much of yours is on its way.')
    this.#bytesByUser.set(userId, sum)
    const { socket } = request.raw
    const end = () => {
      if (!this.#endByRequest.delete(request)) return
      socket.off('close', end)
      const remaining = (this.#bytesByUser.get(userId) ?? 0) - bytes
      if (remaining > 0) this.#bytesByUser.set(userId, remaining)
      else this.#bytesByUser.delete(userId)
    }
    this.#endByRequest.set(request, end)
    socket.once('close', end)
  }

  end(request: FastifyRequest): void {
    this.#endByRequest.get(request)?.()
  }
}
