import type { FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'
import { getAnnouncedBodyBytes } from './incoming-bodies.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import { maxBodyBytes, maxBodyBytesPerPerson } from '../limits/limits.ts'

/** Limits the bytes of one person's request bodies in memory. A body counts until its request is answered. */
export class BodyBytesLimit {
  /** A slot is a byte, a key is a person. */
  readonly #limit = new ConcurrencyLimit<number>({
    perKey: {
      max: maxBodyBytesPerPerson,
      reason: 'bytes_of_person',
      createError: (retryAfter) => new AppError('person_sends_too_much', {}, { retryAfter }),
    },
  })
  readonly #endByRequest = new Map<FastifyRequest, () => void>()

  /** Bytes of all people. */
  get inUse(): number {
    return this.#limit.inUse
  }

  /** Errors: 429 above the limit of this person. */
  begin(request: FastifyRequest, userId: number): void {
    // A file is written to the disk while it arrives.
    if (request.headers['content-type']?.startsWith('multipart/') === true) return
    const bytes = Math.min(getAnnouncedBodyBytes(request), maxBodyBytes)
    if (bytes === 0) return
    const release = this.#limit.acquire(userId, bytes)
    const { socket } = request.raw
    const end = () => {
      this.#endByRequest.delete(request)
      socket.off('close', end)
      release()
    }
    this.#endByRequest.set(request, end)
    socket.once('close', end)
  }

  end(request: FastifyRequest): void {
    this.#endByRequest.get(request)?.()
  }
}
