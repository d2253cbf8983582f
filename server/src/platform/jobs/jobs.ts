import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { JobLocks } from './jobs.lock.ts'

/**
 * Work in the background, declared as data. A run is harmless to repeat: it takes what is due from its own
 * table and leaves there how that went, so that neither a kill nor a second process does anything twice.
 *
 * - `every`: milliseconds between two runs. A run that answers that more is due is followed by the next at once.
 * - `timeout`: milliseconds after which `signal` aborts a run.
 * - `alone`: one process at a time, however many there are. Otherwise the run itself claims rows that no
 *   other run has.
 */
export interface Job {
  readonly name: string
  readonly every: number
  readonly timeout: number
  readonly alone: boolean
  run(signal: AbortSignal): Promise<{ more: boolean } | void>
}

/** Rings for a job by its name: it then runs soon rather than at its next time. */
export type Bell = EventEmitter<Record<string, []>>
export const newBell = (): Bell => new EventEmitter()

/**
 * Starts every job; one that fails is logged, and tried again at its next time.
 * `stop` aborts what is running and resolves once all of it has ended.
 */
export function startJobs(
  pool: pg.Pool,
  log: FastifyBaseLogger,
  bell: Bell,
  jobs: readonly Job[],
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const locks = new JobLocks(pool)
  const loops = jobs.map(async (job) => {
    while (!stopping.signal.aborted) {
      const rung = new AbortController()
      const ring = () => rung.abort()
      bell.on(job.name, ring)
      const more = await runOnce(locks, log, job, stopping.signal)
      const early = AbortSignal.any([stopping.signal, rung.signal])
      if (!more) await sleep(job.every, undefined, { signal: early }).catch(() => {})
      bell.off(job.name, ring)
    }
  })
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
      await locks.close()
    },
  }
}

async function runOnce(
  locks: JobLocks,
  log: FastifyBaseLogger,
  job: Job,
  stopping: AbortSignal,
): Promise<boolean> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(job.timeout)])
  try {
    const done = job.alone
      ? await locks.alone(job.name, (lost) => job.run(AbortSignal.any([signal, lost])))
      : await job.run(signal)
    return done?.more === true
  } catch (error) {
    if (!stopping.aborted) log.warn({ err: error, job: job.name }, 'A job failed; it is tried again')
    return false
  }
}
