/** A random generator with a seed (mulberry32), so that every demo has the same data. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixedBits = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixedBits ^= mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), mixedBits | 61)
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 4_294_967_296
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  /** A random integer, both bounds inclusive. */
  integer(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1))
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.integer(0, items.length - 1)]
    if (item === undefined) throw new Error('The list is empty')
    return item
  }

  /** Picks one of `items`. Earlier ones are more likely. */
  pickEarly<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() ** 2 * items.length)]
    if (item === undefined) throw new Error('The list is empty')
    return item
  }

  isHit(share: number): boolean {
    return this.next() < share
  }
}
