/** Milliseconds. */
const window = 60_000
/** Keys that one window remembers; beyond them it starts afresh, so that no flood fills the memory. */
const maxKeys = 50_000

/** So many a minute for each key, counted in this process. */
export class Rate {
  readonly #most: number
  readonly #taken = new Map<string, number>()
  #until = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Takes one of the minute's. Whole seconds to wait where none is left, else 0. */
  take(key: string): number {
    const now = performance.now()
    if (now >= this.#until || this.#taken.size >= maxKeys) {
      this.#taken.clear()
      this.#until = now + window
    }
    const taken = (this.#taken.get(key) ?? 0) + 1
    this.#taken.set(key, taken)
    return taken <= this.#most ? 0 : Math.max(1, Math.ceil((this.#until - now) / 1000))
  }
}
