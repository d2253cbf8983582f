import { AppError } from '../http/errors.ts'
import { countRefusal, type Refusal } from '../http/refusals.ts'

/** Seconds. */
const retryAfter = 2

/** Every queue of this process, for whoever watches that its places come back. */
const all: Turns[] = []

/** How many places of each kind are in use. */
export const turnsInUse = (): ReadonlyMap<Refusal, number> =>
  new Map(all.map((turns) => [turns.kind, turns.inUse]))

/** A few places and a queue for them, which has an end; a place that gets free goes to the longest waiting. */
export class Turns {
  readonly kind: Refusal
  readonly #most: number
  readonly #mostAwaited: number
  readonly #text: string
  readonly #waiting: (() => void)[] = []
  #running = 0

  /** `text` is what somebody is told who comes when the queue is full. */
  constructor(kind: Refusal, most: number, mostAwaited: number, text: string) {
    this.kind = kind
    all.push(this)
    this.#most = most
    this.#mostAwaited = mostAwaited
    this.#text = text
  }

  get inUse(): number {
    return this.#running
  }

  /**
   * Waits for a place, which {@link leave} gives back; false where none got free in so many milliseconds.
   * Errors: 503 while too many wait.
   */
  async enter(patience?: number): Promise<boolean> {
    if (this.#running < this.#most) {
      this.#running += 1
      return true
    }
    if (this.#waiting.length >= this.#mostAwaited) {
      countRefusal(this.kind)
      throw new AppError('unavailable', this.#text, { retryAfter })
    }
    return new Promise((resolve) => {
      const got = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const late = () => {
        this.#waiting.splice(this.#waiting.indexOf(got), 1)
        countRefusal(this.kind)
        resolve(false)
      }
      const timer = patience === undefined ? undefined : setTimeout(late, patience)
      this.#waiting.push(got)
    })
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running -= 1
  }
}
