import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import { JobLocks } from './jobs.lock.ts'
import { createJobMetrics, type JobMetrics } from './jobs.metrics.ts'

/** All background jobs. The jobs of {@link retentionJob} are named after their tables. */
export type JobName =
  | 'clock-set-back'
  | 'demo-pace'
  | 'digests'
  | 'fold-lead-deltas'
  | 'fold-ledger-deltas'
  | 'forgotten-accounts'
  | 'late-leads'
  | 'lead-remaps'
  | 'notices'
  | 'outgoing-postbacks'
  | 'post-queued-leads'
  | 'account-mails'
  | 'reset-mails'
  | 'recount-days'
  | 'settlement-differences'
  | 'missing-money-notices'
  | 'syncs'
  | 'telegram-bot'
  | 'upload-files'
  | 'upload-scans'
  | 'uploads'
  | `${string}-retention`

/**
 * A background job. A run may be repeated safely: it reads due rows from its own table and stores the outcome there, so
 * that neither a kill nor a second process does anything twice. The room knows how jobs run, but not what they do.
 *
 * - `interval`: milliseconds between two runs. When a run returns `more`, the next one starts at once.
 * - `timeout`: milliseconds after which `signal` aborts a run.
 * - `isExclusive`: only one process at a time runs the job. Otherwise each run claims its own rows.
 */
export interface Job {
  readonly name: JobName
  readonly interval: number
  readonly timeout: number
  readonly isExclusive: boolean
  run(signal: AbortSignal): Promise<{ more: boolean } | void>
}

/** Emit the name of a job to start its next run now instead of after its interval. */
export type JobTrigger = EventEmitter<Record<JobName, []>>
export const createJobTrigger = (): JobTrigger => new EventEmitter()

export interface JobDeps {
  sessionPool: pg.Pool
  log: FastifyBaseLogger
  jobTrigger: JobTrigger
  metrics: Registry
}

export interface RunningJobs {
  stop(): Promise<void>
}

/**
 * Starts all jobs. A failed run is logged; the job runs again after its interval. `stop` aborts running jobs and
 * resolves when all of them have ended.
 */
export function startJobs(
  { sessionPool, log, jobTrigger, metrics }: JobDeps,
  jobs: readonly Job[],
): RunningJobs {
  const stopping = new AbortController()
  const runner: JobRunner = {
    log,
    locks: new JobLocks(sessionPool),
    metrics: createJobMetrics(metrics),
    stopping: stopping.signal,
  }
  const loops = jobs.map(async (job) => {
    while (!stopping.signal.aborted) {
      const triggered = new AbortController()
      const trigger = () => triggered.abort()
      jobTrigger.on(job.name, trigger)
      const more = await runJobOnce(runner, job)
      const wakeUp = AbortSignal.any([stopping.signal, triggered.signal])
      if (!more) await sleep(job.interval, undefined, { signal: wakeUp }).catch(() => {})
      jobTrigger.off(job.name, trigger)
    }
  })
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
      await runner.locks.close()
    },
  }
}

interface JobRunner {
  log: FastifyBaseLogger
  locks: JobLocks
  metrics: JobMetrics
  stopping: AbortSignal
}

async function runJobOnce({ log, locks, metrics, stopping }: JobRunner, job: Job): Promise<boolean> {
  const run = (signal: AbortSignal) =>
    metrics.measure(
      job.name,
      () => job.run(signal),
      () => stopping.aborted,
    )
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(job.timeout)])
  try {
    const done = job.isExclusive
      ? await locks.runAlone(job.name, (lost) => run(AbortSignal.any([signal, lost])))
      : await run(signal)
    return done?.more === true
  } catch (error) {
    if (!stopping.aborted) log.warn({ err: error, job: job.name }, 'A job failed; it is tried again')
    return false
  }
}
