import { addAbortListener } from 'node:events'
import { AppError } from '../http/errors.ts'
import { refused } from './concurrency.ts'
import { maxWorksAwaited, maxWorksOfPerson, workAwaitedWithin } from './limits.ts'

type Turn = PromiseWithResolvers<void>

/** Lets a few works of each person run at once, so that nobody takes all of the database's connections. */
export class Shares {
  readonly #running = new Map<number, number>()
  readonly #waiting = new Map<number, Turn[]>()

  /** How many works run, of all people together. */
  get inUse(): number {
    return [...this.#running.values()].reduce((sum, each) => sum + each, 0)
  }

  /**
   * Runs `work` once fewer works of the person run. `end` is the end of who waits for it.
   * Errors: 429 where too many wait, or where it waited too long.
   */
  async run<T>(userId: number, end: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(userId, end)
    try {
      return await work()
    } finally {
      this.#leave(userId)
    }
  }

  async #enter(userId: number, end: AbortSignal): Promise<void> {
    const running = this.#running.get(userId) ?? 0
    if (running < maxWorksOfPerson) return void this.#running.set(userId, running + 1)
    const waiting = this.#waiting.get(userId) ?? []
    if (waiting.length >= maxWorksAwaited || end.aborted) throw tooMany()
    this.#waiting.set(userId, waiting)
    const turn = Promise.withResolvers<void>()
    waiting.push(turn)
    const giveUp = (error: Error) => {
      const at = waiting.indexOf(turn)
      if (at === -1) return
      waiting.splice(at, 1)
      turn.reject(error)
    }
    const timer = setTimeout(() => giveUp(tooMany()), workAwaitedWithin)
    const listener = addAbortListener(end, () =>
      giveUp(new AppError('malformed', 'The connection ended before the request did.')),
    )
    try {
      await turn.promise
    } finally {
      clearTimeout(timer)
      listener[Symbol.dispose]()
      if (waiting.length === 0 && this.#waiting.get(userId) === waiting) this.#waiting.delete(userId)
    }
  }

  #leave(userId: number): void {
    const next = this.#waiting.get(userId)?.shift()
    if (next !== undefined) return next.resolve()
    const left = (this.#running.get(userId) ?? 0) - 1
    if (left > 0) this.#running.set(userId, left)
    else this.#running.delete(userId)
  }
}

const tooMany = () =>
  refused('too_many_requests', 'works_of_person', 'Too many of your requests are under way.')
