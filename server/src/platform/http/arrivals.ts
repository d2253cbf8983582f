import type { FastifyRequest } from 'fastify'
import { addressKey } from '../limits/address-key.ts'
import { Concurrency } from '../limits/concurrency.ts'
import { answerBrokenRequest } from './error-handler.ts'
import { maxArrivals, maxArrivalsOfAddress, maxBodyBytes, publicRequestWithin } from '../limits/limits.ts'
import { countRefusal } from './refusals.ts'

interface Arrival {
  cut: () => void
  end: () => void
}

/** Bytes of a body that a request announces; a body without a length may be as long as any. */
export function bodyBytesOf({ headers }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return maxBodyBytes
  return Number(headers['content-length'] ?? 0) || 0
}

/**
 * Requests of anybody whose body is on its way. It comes within seconds, and where too many come at once the oldest is
 * cut off: whoever sends slowly keeps nobody out.
 */
export class Arrivals {
  readonly #addresses = new Concurrency<string>({
    most: Infinity,
    mostOfOne: maxArrivalsOfAddress,
    ofOne: { kind: 'arrivals_of_address', text: 'Too many requests of this address are on their way.' },
    inAll: { kind: 'arrivals', text: '' },
  })
  readonly #open = new Map<FastifyRequest, Arrival>()

  /** How many are on their way. */
  get inUse(): number {
    return this.#open.size
  }

  /** Errors: 429 where too many of the address are on their way. */
  begin(request: FastifyRequest): void {
    const { socket } = request.raw
    const key = addressKey(request.ip)
    this.#addresses.enter(key)
    const [oldest] = this.#open.values()
    if (this.#open.size >= maxArrivals) oldest?.cut()
    const end = () => {
      if (!this.#open.delete(request)) return
      clearTimeout(timer)
      socket.off('close', end)
      this.#addresses.leave(key)
    }
    const cut = () => {
      end()
      countRefusal('slow_body')
      answerBrokenRequest(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
    }
    const timer = setTimeout(cut, publicRequestWithin)
    this.#open.set(request, { cut, end })
    socket.once('close', end)
    if (socket.destroyed) end()
  }

  /** Whether the request was on its way. */
  end(request: FastifyRequest): boolean {
    const arrival = this.#open.get(request)
    arrival?.end()
    return arrival !== undefined
  }
}
