import type { FastifyRequest } from 'fastify'
import { bodyBytesOf } from './arrivals.ts'
import { refused } from '../limits/concurrency.ts'
import { maxBodyBytes, maxBodyBytesOfPerson } from '../limits/limits.ts'

/** Bytes of the bodies of each person that are held in memory, until their requests are over. */
export class BodyBytes {
  readonly #of = new Map<number, number>()
  readonly #ends = new Map<FastifyRequest, () => void>()

  /** Of all people together. */
  get inUse(): number {
    return [...this.#of.values()].reduce((sum, each) => sum + each, 0)
  }

  /** Errors: 429 where theirs are too many bytes in all. */
  begin(request: FastifyRequest, userId: number): void {
    // A file goes to the disk as it comes.
    if (request.headers['content-type']?.startsWith('multipart/') === true) return
    const bytes = Math.min(bodyBytesOf(request), maxBodyBytes)
    if (bytes === 0) return
    const sum = (this.#of.get(userId) ?? 0) + bytes
    if (sum > maxBodyBytesOfPerson)
      throw refused('too_many_requests', 'bytes_of_person', 'Too much of yours is on its way.')
    this.#of.set(userId, sum)
    const { socket } = request.raw
    const end = () => {
      if (!this.#ends.delete(request)) return
      socket.off('close', end)
      const left = (this.#of.get(userId) ?? 0) - bytes
      if (left > 0) this.#of.set(userId, left)
      else this.#of.delete(userId)
    }
    this.#ends.set(request, end)
    socket.once('close', end)
  }

  end(request: FastifyRequest): void {
    this.#ends.get(request)?.()
  }
}
