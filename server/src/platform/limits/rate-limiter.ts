/** Milliseconds. */
const windowLength = 60_000
/**
 * The maximum number of keys. At this number all counts start again, so that a flood of keys does not fill the memory.
 */
const maxKeys = 50_000

/**
 * Limits the requests a minute of each key, with a fixed window, in the memory of this process. `attempt-limiter.ts`
 * limits failed attempts instead, in the database, for all processes.
 */
export class RateLimiter {
  readonly #maxPerMinute: number
  readonly #countByKey = new Map<string, number>()
  #windowEnd = 0

  constructor(maxPerMinute: number) {
    this.#maxPerMinute = maxPerMinute
  }

  /** Counts one request. Returns 0 when it is allowed, else the whole seconds to wait. */
  consume(key: string): number {
    const now = performance.now()
    if (now >= this.#windowEnd || this.#countByKey.size >= maxKeys) {
      this.#countByKey.clear()
      this.#windowEnd = now + windowLength
    }
    const count = (this.#countByKey.get(key) ?? 0) + 1
    this.#countByKey.set(key, count)
    return count <= this.#maxPerMinute ? 0 : Math.max(1, Math.ceil((this.#windowEnd - now) / 1000))
  }
}
