import { perTemplate } from './outgoing-postbacks.due.ts'

/** Milliseconds that a template rests after its first failure in a row, and at the most. */
const rest = { first: 1000, most: 60_000 }

/** What this process knows of each template's tracker: how many are under way there, and until when it rests. */
export class Pace {
  readonly #underWay = new Map<number, number>()
  readonly #failures = new Map<number, number>()
  readonly #restsUntil = new Map<number, number>()

  /** Templates that are not to be sent to now. */
  held(): number[] {
    const now = performance.now()
    for (const [id, until] of this.#restsUntil) if (until <= now) this.#restsUntil.delete(id)
    const busy = [...this.#underWay].filter(([, count]) => count >= perTemplate).map(([id]) => id)
    return [...new Set([...busy, ...this.#restsUntil.keys()])]
  }

  started(id: number): void {
    this.#underWay.set(id, (this.#underWay.get(id) ?? 0) + 1)
  }

  ended(id: number): void {
    const left = (this.#underWay.get(id) ?? 1) - 1
    if (left > 0) this.#underWay.set(id, left)
    else this.#underWay.delete(id)
  }

  /** It answered well: no reason to spare it. */
  went(id: number): void {
    this.#failures.delete(id)
  }

  /** It asked to wait so many seconds. */
  asked(id: number, seconds: number): void {
    this.#rest(id, seconds * 1000)
  }

  /** It failed: it rests a little, twice as long for each failure in a row. */
  failed(id: number): void {
    const failures = (this.#failures.get(id) ?? 0) + 1
    this.#failures.set(id, failures)
    this.#rest(id, Math.min(rest.first * 2 ** (failures - 1), rest.most))
  }

  #rest(id: number, milliseconds: number): void {
    this.#restsUntil.set(id, Math.max(this.#restsUntil.get(id) ?? 0, performance.now() + milliseconds))
  }
}
