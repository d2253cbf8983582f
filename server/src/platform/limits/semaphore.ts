import { AppError } from '../http/errors.ts'
import { countRefusal, type RefusalReason } from '../http/refusals.ts'

/** Seconds. */
const retryAfter = 2

const allSemaphores: Semaphore[] = []

/** How many holders each semaphore of this process has. */
export const countSemaphoreHolders = (): ReadonlyMap<RefusalReason, number> =>
  new Map(allSemaphores.map((semaphore) => [semaphore.kind, semaphore.inUse]))

/**
 * A semaphore with a bounded first-in-first-out queue, shared by all callers. Unlike {@link ConcurrencyLimit} it queues
 * before it refuses, and it has no keys. `PersonSemaphores` has one queue for each person.
 */
export class Semaphore {
  readonly kind: RefusalReason
  readonly #max: number
  readonly #maxQueued: number
  readonly #fullText: string
  readonly #queue: (() => void)[] = []
  #holders = 0

  /** `fullText` is the detail of the answer when the queue is full. */
  constructor(kind: RefusalReason, max: number, maxQueued: number, fullText: string) {
    this.kind = kind
    allSemaphores.push(this)
    this.#max = max
    this.#maxQueued = maxQueued
    this.#fullText = fullText
  }

  get inUse(): number {
    return this.#holders
  }

  /**
   * Waits until the caller may run, at most `timeout` milliseconds; false after that. Errors: 503 when the queue is
   * full.
   */
  async acquire(timeout?: number): Promise<boolean> {
    if (this.#holders < this.#max) {
      this.#holders += 1
      return true
    }
    if (this.#queue.length >= this.#maxQueued) {
      countRefusal(this.kind)
      throw new AppError('unavailable', this.#fullText, { retryAfter })
    }
    return new Promise((resolve) => {
      const onAcquired = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const onTimeout = () => {
        this.#queue.splice(this.#queue.indexOf(onAcquired), 1)
        countRefusal(this.kind)
        resolve(false)
      }
      const timer = timeout === undefined ? undefined : setTimeout(onTimeout, timeout)
      this.#queue.push(onAcquired)
    })
  }

  release(): void {
    const next = this.#queue.shift()
    if (next) next()
    else this.#holders -= 1
  }
}
