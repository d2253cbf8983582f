import { maxConcurrentPerTemplate, type TemplateLoad } from './outgoing-postbacks.lease.queries.ts'

/** Milliseconds that a template pauses after the first failure in a row, and the maximum. */
const firstPause = 1000
const maxPause = 60_000

/** The state of each template in this process: the number of running requests, and the end of its pause. */
export class TemplatePacing {
  readonly #running = new Map<number, number>()
  readonly #failures = new Map<number, number>()
  readonly #pausedUntil = new Map<number, number>()

  /** `held`: the templates that are paused or have the maximum of running requests. */
  getLoad(): TemplateLoad {
    const now = performance.now()
    for (const [id, until] of this.#pausedUntil) if (until <= now) this.#pausedUntil.delete(id)
    const busy = [...this.#running].filter(([, count]) => count >= maxConcurrentPerTemplate).map(([id]) => id)
    return {
      held: [...new Set([...busy, ...this.#pausedUntil.keys()])],
      running: [...this.#running].flatMap(([id, count]) => Array<number>(count).fill(id)),
    }
  }

  countStart(id: number): void {
    this.#running.set(id, (this.#running.get(id) ?? 0) + 1)
  }

  countFinish(id: number): void {
    const remainingCount = (this.#running.get(id) ?? 1) - 1
    if (remainingCount > 0) this.#running.set(id, remainingCount)
    else this.#running.delete(id)
  }

  resetFailures(id: number): void {
    this.#failures.delete(id)
  }

  /** Pauses a template for the seconds that its tracker asks for. */
  pause(id: number, seconds: number): void {
    this.#pauseFor(id, seconds * 1000)
  }

  /** Pauses a template after a failure. The pause doubles with each failure in a row. */
  countFailure(id: number): void {
    const failures = (this.#failures.get(id) ?? 0) + 1
    this.#failures.set(id, failures)
    this.#pauseFor(id, Math.min(firstPause * 2 ** (failures - 1), maxPause))
  }

  #pauseFor(id: number, milliseconds: number): void {
    this.#pausedUntil.set(id, Math.max(this.#pausedUntil.get(id) ?? 0, performance.now() + milliseconds))
  }
}
