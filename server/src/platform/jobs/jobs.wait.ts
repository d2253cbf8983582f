import { setTimeout as sleep } from 'node:timers/promises'
import type { Job, JobTrigger } from './jobs.ts'

/** Milliseconds between two checks for work while no notification comes: a lost one costs at most this time. */
const maxWait = 30_000

type ReadDelay = NonNullable<Job['readDelay']>

/** How the jobs of a process wait for their work. */
export class JobWaits {
  readonly #trigger: JobTrigger
  readonly #stopping: AbortSignal
  readonly #waitingReads = new Map<ReadDelay, Promise<number | null>>()
  #lastRead: Promise<unknown> = Promise.resolve()

  constructor(trigger: JobTrigger, stopping: AbortSignal) {
    this.#trigger = trigger
    this.#stopping = stopping
  }

  /** Call this before a run: a notification during the run counts. */
  open({ name, interval, wakeDelay = 0, readDelay }: Job) {
    let notified = new AbortController()
    const onNotification = () => notified.abort()
    this.#trigger.on(name, onNotification)
    const waitForNotification = async (milliseconds: number) => {
      await this.#sleep(milliseconds, notified.signal)
      if (notified.signal.aborted) await this.#sleep(wakeDelay)
    }
    return {
      /** Resolves when the next run is due, or when the process stops. Never throws. */
      untilWork: async (): Promise<void> => {
        if (readDelay === undefined) return waitForNotification(interval)
        for (let reads = 0; !this.#stopping.aborted; reads += 1) {
          notified = new AbortController()
          // A run reports why the database cannot be read.
          const delay = await this.#read(readDelay).catch(() => 0)
          if (delay !== null && delay <= 0) return reads === 0 ? waitForNotification(interval) : undefined
          await waitForNotification(Math.min(delay ?? maxWait, maxWait))
        }
      },
      close: () => void this.#trigger.off(name, onNotification),
    }
  }

  /** The jobs read one after another: together they need one connection. A read that waits serves all who ask for it. */
  #read(readDelay: ReadDelay): Promise<number | null> {
    const waiting = this.#waitingReads.get(readDelay)
    if (waiting !== undefined) return waiting
    const read = this.#lastRead.then(() => {
      this.#waitingReads.delete(readDelay)
      return readDelay()
    })
    this.#waitingReads.set(readDelay, read)
    this.#lastRead = read.catch(() => {})
    return read
  }

  async #sleep(milliseconds: number, ...signals: AbortSignal[]): Promise<void> {
    const signal = AbortSignal.any([this.#stopping, ...signals])
    await sleep(Math.ceil(milliseconds), undefined, { signal }).catch(() => {})
  }
}
