import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../database/pool.ts'
import type { Job, JobTrigger, WorkDelay } from './jobs.ts'

/** Milliseconds without a run after a failed one, whatever notifies the job; the interval of the job if it is shorter. */
const failurePause = 5000
/**
 * Runs that may follow each other at once, and the milliseconds before each further one. A shorter wait counts as none. A job that
 * notifies itself would otherwise run without a pause.
 */
const maxRunsAtOnce = 4
const repeatPause = 1000

interface DelayRead {
  delays: Set<WorkDelay>
  answer: Promise<ReadonlyMap<WorkDelay, number | null>>
}

/**
 * - `stopping` ends all waits.
 * - `checkInterval`: milliseconds between two checks for work without a notification, because notifications may be
 *   lost.
 */
interface JobWaitsOptions {
  trigger: JobTrigger
  stopping: AbortSignal
  checkInterval?: number
}

/** Lets the jobs of a process wait until they have work. */
export class JobWaits {
  readonly #db: Db
  readonly #trigger: JobTrigger
  readonly #stopping: AbortSignal
  readonly #checkInterval: number
  /** Aborts at the next check. All jobs share it, so that they check in one statement. */
  #check: AbortSignal | undefined
  /** The next statement, which has not started. */
  #nextRead: DelayRead | undefined
  #lastRead: Promise<unknown> = Promise.resolve()
  /** The runs of a job that followed each other at once. */
  readonly #runsAtOnce = new Map<Job, number>()

  constructor(db: Db, { trigger, stopping, checkInterval = 30_000 }: JobWaitsOptions) {
    this.#checkInterval = checkInterval
    this.#db = db
    this.#trigger = trigger
    this.#stopping = stopping
  }

  /** Call this before a run, so that a notification during the run is not lost. */
  open(job: Job) {
    const { name, interval, wakeDelay = 0, workDelay } = job
    let notified = new AbortController()
    const onNotification = () => notified.abort()
    this.#trigger.on(name, onNotification)
    const waitForNotification = async (milliseconds: number, ...signals: AbortSignal[]) => {
      await this.#sleep(milliseconds, notified.signal, ...signals)
      if (notified.signal.aborted) await this.#sleep(wakeDelay)
    }
    const waitForWork = async (): Promise<void> => {
      if (workDelay === undefined) return waitForNotification(interval)
      const isNotifiedInRun = notified.signal.aborted
      for (let reads = 0; !this.#stopping.aborted; reads += 1) {
        notified = new AbortController()
        // If the database cannot be read, the run reports the reason.
        const delay = await this.#read(workDelay).catch(() => 0)
        if (delay !== null && delay <= 0) {
          if (reads > 0) return undefined
          // The run left work. With a notification, the work may be newer than the run.
          return isNotifiedInRun ? this.#sleep(wakeDelay) : waitForNotification(interval)
        }
        await waitForNotification(Math.min(delay ?? Infinity, this.#checkInterval), this.#openCheck())
      }
    }
    return {
      /** Resolves when the next run is due, or when the process stops. Never throws. */
      untilWork: async (hasFailed = false): Promise<void> => {
        const startTime = performance.now()
        if (hasFailed) await this.#sleep(Math.min(interval, failurePause))
        await waitForWork()
        const isAtOnce = performance.now() - startTime < Math.min(interval, repeatPause)
        const runs = isAtOnce ? (this.#runsAtOnce.get(job) ?? 1) + 1 : 1
        this.#runsAtOnce.set(job, runs)
        if (runs > maxRunsAtOnce) await this.#sleep(repeatPause)
      },
      close: () => void this.#trigger.off(name, onNotification),
    }
  }

  #openCheck(): AbortSignal {
    if (this.#check === undefined || this.#check.aborted)
      this.#check = AbortSignal.timeout(this.#checkInterval)
    return this.#check
  }

  /** Delays that are requested at the same moment, or while another statement runs, are read by one statement. */
  async #read(delay: WorkDelay): Promise<number | null> {
    this.#nextRead ??= this.#openRead()
    const { delays, answer } = this.#nextRead
    delays.add(delay)
    return (await answer).get(delay) ?? null
  }

  #openRead(): DelayRead {
    const delays = new Set<WorkDelay>()
    const answer = this.#lastRead
      .then(() => setImmediate())
      .then(() => {
        this.#nextRead = undefined
        return readDelays(this.#db, [...delays])
      })
    this.#lastRead = answer.catch(() => {})
    return { delays, answer }
  }

  async #sleep(milliseconds: number, ...signals: AbortSignal[]): Promise<void> {
    const signal = AbortSignal.any([this.#stopping, ...signals])
    await sleep(Math.ceil(milliseconds), undefined, { signal }).catch(() => {})
  }
}

async function readDelays(
  db: Db,
  delays: readonly WorkDelay[],
): Promise<ReadonlyMap<WorkDelay, number | null>> {
  const columns = delays.map((delay) => sql`(${delay})::float8`)
  const { rows } = await sql<{
    delays: (number | null)[]
  }>`select array[${sql.join(columns)}] as delays`.execute(db)
  return new Map(delays.map((delay, index) => [delay, rows[0]?.delays[index] ?? null]))
}
