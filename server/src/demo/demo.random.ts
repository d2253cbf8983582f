/** A random generator with a seed (mulberry32), so that every demo has the same data. */
export class SeededRandom {
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

  /** A random integer, both bounds inclusive. */
  integer(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1))
  }

  pick<T>(all: readonly T[]): T {
    const found = all[this.integer(0, all.length - 1)]
    if (found === undefined) throw new Error('The list is empty')
    return found
  }

  /** Picks one of `all`. Earlier ones are more likely. */
  pickEarly<T>(all: readonly T[]): T {
    const found = all[Math.floor(this.next() ** 2 * all.length)]
    if (found === undefined) throw new Error('The list is empty')
    return found
  }

  isHit(share: number): boolean {
    return this.next() < share
  }
}
