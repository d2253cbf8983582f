import { addAbortListener } from 'node:events'
import { AppError } from '../http/errors.ts'
import { createRefusalError } from './concurrency-limit.ts'
import { maxQueuedRequestsPerPerson, maxRunningRequestsPerPerson, queuedRequestTimeout } from './limits.ts'

/**
 * One semaphore for each person: a few requests of a person run, the others queue, so that nobody takes all connections
 * of the database. Unlike `Semaphore` it has a key, a fixed timeout, and it stops waiting when the connection ends.
 */
export class PersonSemaphores {
  readonly #runningByUser = new Map<number, number>()
  readonly #queueByUser = new Map<number, PromiseWithResolvers<void>[]>()

  /** How many requests of all people run. */
  get inUse(): number {
    return [...this.#runningByUser.values()].reduce((sum, count) => sum + count, 0)
  }

  /**
   * Runs `work` when fewer than the maximum of this person run. `connectionEnd` aborts the wait.
   * Errors: 429 when the queue is full, or after `queuedRequestTimeout`; 400 when the connection ended.
   */
  async run<T>(userId: number, connectionEnd: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#acquire(userId, connectionEnd)
    try {
      return await work()
    } finally {
      this.#release(userId)
    }
  }

  async #acquire(userId: number, connectionEnd: AbortSignal): Promise<void> {
    const running = this.#runningByUser.get(userId) ?? 0
    if (running < maxRunningRequestsPerPerson) return void this.#runningByUser.set(userId, running + 1)
    const queue = this.#queueByUser.get(userId) ?? []
    if (queue.length >= maxQueuedRequestsPerPerson || connectionEnd.aborted) throw createTooManyError()
    this.#queueByUser.set(userId, queue)
    const waiter = Promise.withResolvers<void>()
    queue.push(waiter)
    const giveUp = (error: Error) => {
      const index = queue.indexOf(waiter)
      if (index === -1) return
      queue.splice(index, 1)
      waiter.reject(error)
    }
    const timer = setTimeout(() => giveUp(createTooManyError()), queuedRequestTimeout)
    const listener = addAbortListener(connectionEnd, () =>
      giveUp(new AppError('malformed', 'The connection ended before the request did.')),
    )
    try {
      await waiter.promise
    } finally {
      clearTimeout(timer)
      listener[Symbol.dispose]()
      if (queue.length === 0 && this.#queueByUser.get(userId) === queue) this.#queueByUser.delete(userId)
    }
  }

  #release(userId: number): void {
    const next = this.#queueByUser.get(userId)?.shift()
    if (next !== undefined) return next.resolve()
    const count = (this.#runningByUser.get(userId) ?? 0) - 1
    if (count > 0) this.#runningByUser.set(userId, count)
    else this.#runningByUser.delete(userId)
  }
}

const createTooManyError = () =>
  createRefusalError('too_many_requests', 'works_of_person', 'Too many of your requests are under way.')
