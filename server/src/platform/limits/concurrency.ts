import { AppError } from '../http/errors.ts'
import { countRefusal, type Refusal } from '../http/refusals.ts'

/** Seconds. */
const retryAfter = 1

interface Bounds {
  most: number
  mostOfOne: number
  /** What is counted and said where one of the keys, or all of them together, have too many. */
  ofOne: { kind: Refusal; text: string }
  inAll: { kind: Refusal; text: string }
}

/** Counts what is under way, in all and of each key (an address, a person), and refuses beyond the bounds. */
export class Concurrency<Key> {
  readonly #bounds: Bounds
  readonly #of = new Map<Key, number>()
  #all = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  get inUse(): number {
    return this.#all
  }

  /** Errors: 429 where this key has too many, 503 where all keys together have. */
  enter(key: Key): void {
    const { most, mostOfOne, ofOne, inAll } = this.#bounds
    const count = this.#of.get(key) ?? 0
    if (count >= mostOfOne) throw refused('too_many_requests', ofOne.kind, ofOne.text)
    if (this.#all >= most) throw refused('unavailable', inAll.kind, inAll.text)
    this.#all += 1
    this.#of.set(key, count + 1)
  }

  leave(key: Key): void {
    this.#all -= 1
    const left = (this.#of.get(key) ?? 0) - 1
    if (left > 0) this.#of.set(key, left)
    else this.#of.delete(key)
  }
}

export function refused(code: 'too_many_requests' | 'unavailable', kind: Refusal, text: string): AppError {
  countRefusal(kind)
  return new AppError(code, text, { retryAfter })
}
