import { AppError } from './errors.ts'
import { countRefusal, type Refusal } from './refusals.ts'

/** Seconds. */
const retryAfter = 10

/** What is heavy goes by slots: so many at once in this process, and so many of them one person's. */
export class Slots {
  readonly #kind: Refusal
  readonly #most: number
  readonly #mostOfOne: number
  readonly #what: string
  readonly #running: number[] = []

  /** `what` is what there are too many of: "downloads". */
  constructor(kind: Refusal, what: string, most: number, mostOfOne: number) {
    this.#kind = kind
    this.#what = what
    this.#most = most
    this.#mostOfOne = mostOfOne
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
    return () => {
      if (!taken) return
      taken = false
      this.#running.splice(this.#running.indexOf(userId), 1)
    }
  }

  #refused(code: 'too_many_requests' | 'unavailable', text: string): AppError {
    countRefusal(this.#kind)
    return new AppError(code, text, { retryAfter })
  }
}
