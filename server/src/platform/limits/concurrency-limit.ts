import { AppError } from '../http/errors.ts'
import { countRefusal, type RefusalReason } from '../http/refusals.ts'

interface ConcurrencyBounds {
  /** All keys together. */
  max: number
  maxPerKey: number
  /** `reason` is counted on /metrics, `text` is the detail of the answer. */
  perKeyRefusal: { reason: RefusalReason; text: string }
  totalRefusal: { reason: RefusalReason; text: string }
  /** Seconds in Retry-After; 1. */
  retryAfter?: number
}

/**
 * Concurrency limit: at most `max` holders in this process, and `maxPerKey` of one key (an address, a person). It
 * refuses at once and never queues; the caller releases by hand. `Semaphore` queues instead, `HeavyTaskLimit` adds a
 * deadline.
 */
export class ConcurrencyLimit<Key> {
  readonly #bounds: ConcurrencyBounds
  readonly #countByKey = new Map<Key, number>()
  #total = 0

  constructor(bounds: ConcurrencyBounds) {
    this.#bounds = bounds
  }

  get inUse(): number {
    return this.#total
  }

  /** Errors: 429 at the limit of this key, 503 at the limit of all keys. */
  acquire(key: Key): void {
    const { max, maxPerKey, perKeyRefusal, totalRefusal, retryAfter } = this.#bounds
    const count = this.#countByKey.get(key) ?? 0
    if (count >= maxPerKey)
      throw createRefusalError('too_many_requests', perKeyRefusal.reason, perKeyRefusal.text, retryAfter)
    if (this.#total >= max)
      throw createRefusalError('unavailable', totalRefusal.reason, totalRefusal.text, retryAfter)
    this.#total += 1
    this.#countByKey.set(key, count + 1)
  }

  release(key: Key): void {
    this.#total -= 1
    const count = (this.#countByKey.get(key) ?? 0) - 1
    if (count > 0) this.#countByKey.set(key, count)
    else this.#countByKey.delete(key)
  }
}

/** Counts a refusal and creates its error. `retryAfter` is in seconds. */
export function createRefusalError(
  code: 'too_many_requests' | 'unavailable',
  reason: RefusalReason,
  text: string,
  retryAfter = 1,
): AppError {
  countRefusal(reason)
  return new AppError(code, text, { retryAfter })
}
