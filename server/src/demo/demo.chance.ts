/** Chance that falls the same way every time, so that every demo shows the same desk (mulberry32). */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  /** A whole number, both ends included. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1))
  }

  of<T>(all: readonly T[]): T {
    const found = all[this.whole(0, all.length - 1)]
    if (found === undefined) throw new Error('Nothing to choose from')
    return found
  }

  /** The first are chosen more often than the last. */
  early<T>(all: readonly T[]): T {
    const found = all[Math.floor(this.next() ** 2 * all.length)]
    if (found === undefined) throw new Error('Nothing to choose from')
    return found
  }

  chance(share: number): boolean {
    return this.next() < share
  }
}
