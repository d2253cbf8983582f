import type { FastifyRequest } from 'fastify'
import { addressKey } from '../limits/address-key.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import { answerBrokenRequest } from './broken-requests.ts'
import { AppError } from './errors.ts'
import {
  maxIncomingBodies,
  maxIncomingBodiesPerAddress,
  maxBodyBytes,
  publicRequestTimeout,
} from '../limits/limits.ts'
import { countRefusal } from './refusals.ts'

interface IncomingBody {
  close: () => void
  end: () => void
}

/** Bytes of the body that a request announces. A chunked body counts as the largest allowed body. */
export function getAnnouncedBodyBytes({ headers }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return maxBodyBytes
  return Number(headers['content-length'] ?? 0) || 0
}

/**
 * Limits public requests whose body is still arriving. A body must arrive within seconds. At the limit of all addresses
 * the oldest request is closed instead of the new one refused, so that slow clients do not block others.
 */
export class IncomingBodies {
  readonly #limitByAddress = new ConcurrencyLimit<string>({
    perKey: {
      max: maxIncomingBodiesPerAddress,
      reason: 'arrivals_of_address',
      createError: (retryAfter) => new AppError('address_sends_too_much', {}, { retryAfter }),
    },
  })
  readonly #bodies = new Map<FastifyRequest, IncomingBody>()

  get inUse(): number {
    return this.#bodies.size
  }

  /** Errors: 429 at the limit of the address. */
  begin(request: FastifyRequest): void {
    const { socket } = request.raw
    const release = this.#limitByAddress.acquire(addressKey(request.ip))
    const [oldestBody] = this.#bodies.values()
    if (this.#bodies.size >= maxIncomingBodies) oldestBody?.close()
    const end = () => {
      if (!this.#bodies.delete(request)) return
      clearTimeout(timer)
      socket.off('close', end)
      release()
    }
    const close = () => {
      end()
      countRefusal('slow_body')
      answerBrokenRequest(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
    }
    const timer = setTimeout(close, publicRequestTimeout)
    this.#bodies.set(request, { close, end })
    socket.once('close', end)
    if (socket.destroyed) end()
  }

  /** Returns whether the body was still counted as arriving. */
  end(request: FastifyRequest): boolean {
    const body = this.#bodies.get(request)
    body?.end()
    return body !== undefined
  }
}
