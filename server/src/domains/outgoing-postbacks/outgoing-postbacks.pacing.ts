import { perTemplate } from './outgoing-postbacks.lease.queries.ts'

/** Milliseconds that a template waits after its first failure in a row, and at the most. */
const firstWait = 1000
const longestWait = 60_000

/** What this process knows of each template's tracker: how many requests run, and until when the next one waits. */
export class TemplatePacing {
  readonly #running = new Map<number, number>()
  readonly #failures = new Map<number, number>()
  readonly #waitsUntil = new Map<number, number>()

  /** Templates whose postbacks must wait now. */
  heldTemplates(): number[] {
    const now = performance.now()
    for (const [id, until] of this.#waitsUntil) if (until <= now) this.#waitsUntil.delete(id)
    const busy = [...this.#running].filter(([, count]) => count >= perTemplate).map(([id]) => id)
    return [...new Set([...busy, ...this.#waitsUntil.keys()])]
  }

  start(id: number): void {
    this.#running.set(id, (this.#running.get(id) ?? 0) + 1)
  }

  finish(id: number): void {
    const left = (this.#running.get(id) ?? 1) - 1
    if (left > 0) this.#running.set(id, left)
    else this.#running.delete(id)
  }

  forgetFailures(id: number): void {
    this.#failures.delete(id)
  }

  /** The tracker asked to wait so many seconds. */
  wait(id: number, seconds: number): void {
    this.#waitFor(id, seconds * 1000)
  }

  /** The wait doubles with each failure in a row. */
  countFailure(id: number): void {
    const failures = (this.#failures.get(id) ?? 0) + 1
    this.#failures.set(id, failures)
    this.#waitFor(id, Math.min(firstWait * 2 ** (failures - 1), longestWait))
  }

  #waitFor(id: number, milliseconds: number): void {
    this.#waitsUntil.set(id, Math.max(this.#waitsUntil.get(id) ?? 0, performance.now() + milliseconds))
  }
}
