import { EventEmitter } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import type { RawBuilder } from 'kysely'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import type { Db } from '../database/pool.ts'
import { createJobMetrics, type JobMetrics } from './jobs.metrics.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { JobSession } from './jobs.session.ts'
import { JobWaits } from './jobs.wait.ts'

/** All background jobs. The jobs of {@link retentionJob} and {@link logPartitionsJob} are named after their tables. */
export type JobName =
  | 'clock-set-back'
  | 'demo-syncs'
  | 'digests'
  | 'fold-lead-deltas'
  | 'fold-ledger-deltas'
  | 'forgotten-accounts'
  | 'interrupted-imports'
  | 'late-leads'
  | 'lead-remaps'
  | 'notices'
  | 'outgoing-postbacks'
  | 'post-queued-leads'
  | 'account-mails'
  | 'alerts'
  | 'reset-mails'
  | 'recount-days'
  | 'recount-statuses'
  | 'count-lead-statuses'
  | 'build-lead-segments'
  | 'build-lead-spans'
  | 'settlement-differences'
  | 'missing-money-notices'
  | 'syncs'
  | 'telegram-bot'
  | 'upload-files'
  | 'upload-scans'
  | 'uploads'
  | 'view-messages'
  | 'view-schedules'
  | `${string}-retention`
  | `${string}-partitions`

/** SQL of the milliseconds until a job has work: 0 for now, null if no work is known. */
export type WorkDelay = RawBuilder<number | null>

/**
 * A background job. A run may be repeated safely: it reads due rows from its own table and stores the outcome there, so
 * that nothing happens twice after a kill or in a second process.
 *
 * - `interval`: milliseconds between two runs. When a run returns `hasMore`, the next one starts at once.
 * - `workDelay`: the time until the job has work. With it, a job without work does not run, and `interval` is the time
 *   before the next run if a run leaves work.
 * - `wakeDelay`: milliseconds between a notification and the run, so that one run handles several changes.
 * - `timeout`: milliseconds after which `signal` aborts a run.
 * - `isExclusive`: only one process at a time runs the job. Otherwise each run claims its own rows.
 *
 * A run that notifies its own job and leaves its work in place is followed by a pause, and so is a failed run.
 */
export interface Job {
  readonly name: JobName
  readonly interval: number
  readonly timeout: number
  readonly isExclusive: boolean
  readonly wakeDelay?: number
  readonly workDelay?: WorkDelay
  run(signal: AbortSignal): Promise<{ hasMore: boolean } | void>
}

/**
 * Emit the name of a job to start its next run now instead of after its interval. Triggers of the database do so in
 * every process, through the channel `karvon_jobs`.
 */
export type JobTrigger = EventEmitter<Record<JobName, []>>
export const createJobTrigger = (): JobTrigger => new EventEmitter()

export interface JobDeps {
  db: Db
  sessionPool: pg.Pool
  log: FastifyBaseLogger
  jobTrigger: JobTrigger
  metrics: Registry
  tracing: Tracing | null
}

export interface RunningJobs {
  stop(): Promise<void>
}

/**
 * Starts all jobs. A failed run is logged; the job runs again after its interval. `stop` aborts running jobs and
 * resolves when all of them have ended.
 */
export function startJobs(
  { db, sessionPool, log, jobTrigger, metrics, tracing }: JobDeps,
  jobs: readonly Job[],
): RunningJobs {
  const stopping = new AbortController()
  const waitingNames = new Set(
    jobs.filter(({ workDelay }) => workDelay !== undefined).map(({ name }) => name),
  )
  const names = new Set<string>(jobs.map(({ name }) => name))
  const isJob = (name: string): name is JobName => names.has(name)
  const session = new JobSession(sessionPool, {
    onNotification: (name) => isJob(name) && jobTrigger.emit(name),
    // Notifications before the connection are lost.
    onConnect: () => waitingNames.forEach((name) => jobTrigger.emit(name)),
  })
  const runner: JobRunner = {
    log,
    session,
    tracing,
    metrics: createJobMetrics(metrics),
    stopping: stopping.signal,
  }
  const listening = session.listen(stopping.signal)
  const waits = new JobWaits(db, { trigger: jobTrigger, stopping: stopping.signal })
  const loops = jobs.map(async (job) => {
    while (!stopping.signal.aborted) {
      const wait = waits.open(job)
      const result = await runJobOnce(runner, job)
      if (result !== 'more') await wait.untilWork(result === 'failed')
      wait.close()
    }
  })
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([...loops, listening])
      await session.close()
    },
  }
}

interface JobRunner {
  log: FastifyBaseLogger
  session: JobSession
  metrics: JobMetrics
  tracing: Tracing | null
  stopping: AbortSignal
}

async function runJobOnce(
  { log, session, metrics, tracing, stopping }: JobRunner,
  job: Job,
): Promise<'more' | 'done' | 'failed'> {
  const run = (signal: AbortSignal) =>
    metrics.measure(
      job.name,
      () => (tracing === null ? job.run(signal) : tracing.traceJob(job.name, () => job.run(signal))),
      () => stopping.aborted,
    )
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(job.timeout)])
  try {
    const result = job.isExclusive
      ? await session.runAlone(job.name, (lostSignal) => run(AbortSignal.any([signal, lostSignal])))
      : await run(signal)
    return result?.hasMore === true ? 'more' : 'done'
  } catch (error) {
    if (!stopping.aborted) log.warn({ err: error, job: job.name }, 'A job failed; it is tried again')
    return 'failed'
  }
}
