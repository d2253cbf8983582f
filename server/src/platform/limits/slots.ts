import { AppError } from '../http/errors.ts'
import { slotWithin } from './limits.ts'
import { countRefusal, type Refusal } from '../http/refusals.ts'

/** Seconds. */
const retryAfter = 10

/** Every kind of slot of this process, for whoever watches that they come back. */
const all: Slots[] = []

/** How many slots of each kind are in use. */
export const slotsInUse = (): ReadonlyMap<Refusal, number> => {
  const counts = new Map<Refusal, number>()
  for (const slots of all) counts.set(slots.kind, (counts.get(slots.kind) ?? 0) + slots.inUse)
  return counts
}

/** What is heavy goes by slots: so many at once in this process, and so many of them one person's. */
export class Slots {
  readonly kind: Refusal
  readonly #most: number
  readonly #mostOfOne: number
  readonly #what: string
  readonly #running: number[] = []

  /** `what` is what there are too many of: "downloads". */
  constructor(kind: Refusal, what: string, most: number, mostOfOne: number) {
    this.kind = kind
    all.push(this)
    this.#what = what
    this.#most = most
    this.#mostOfOne = mostOfOne
  }

  get inUse(): number {
    return this.#running.length
  }

  /** Does `work` in a slot, see {@link take}. */
  async hold<T>(userId: number, work: () => Promise<T>): Promise<T> {
    const free = this.take(userId)
    try {
      return await work()
    } finally {
      free()
    }
  }

  /**
   * Makes room for one of a person's, and answers how to give it back.
   * Errors: 429 where as many of theirs are under way as may be, 503 where as many of anybody's are.
   */
  take(userId: number): () => void {
    if (this.#running.filter((each) => each === userId).length >= this.#mostOfOne) {
      const text = `${this.#mostOfOne} of your ${this.#what} are under way. Wait for one of them.`
      throw this.#refused('too_many_requests', text)
    }
    if (this.#running.length >= this.#most)
      throw this.#refused('unavailable', `Several ${this.#what} are under way. Try again shortly.`)
    this.#running.push(userId)
    let taken = true
    const free = () => {
      if (!taken) return
      taken = false
      clearTimeout(deadline)
      this.#running.splice(this.#running.indexOf(userId), 1)
    }
    // Whatever holds it ends long before; a fault that does not must not take the slot for good.
    const deadline = setTimeout(() => {
      countRefusal('slot_overdue')
      free()
    }, slotWithin).unref()
    return free
  }

  #refused(code: 'too_many_requests' | 'unavailable', text: string): AppError {
    countRefusal(this.kind)
    return new AppError(code, text, { retryAfter })
  }
}
