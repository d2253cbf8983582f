import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { Db } from '../../platform/database/pool.ts'
import { retryWhileUnavailable } from '../../platform/database/retry-while-unavailable.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { SyncError, type SyncKind } from './syncs.kind.ts'
import {
  acquireLease,
  createMissingStates,
  finishRun,
  renewLease,
  syncWorkDelay,
  type RunResult,
} from './syncs.lease.queries.ts'
import { getSyncCounters } from './syncs.metrics.ts'
import { getEndResult, getErrorResult, interruptedResult } from './syncs.result.ts'
import { createRunContext, createRunState, type SyncTarget } from './syncs.run.ts'

interface SyncJobDeps {
  db: Db
  log: FastifyBaseLogger
  metrics: Registry
}

/**
 * Maximum number of sync runs at the same time in one process. One of them is for accounts whose last run did not fail, so
 * that accounts that do not answer cannot use all of the runs.
 */
const maxConcurrentRuns = 3
/** Milliseconds between two runs while accounts are due that a run cannot lease, and between two renewals of a run's lease. */
const interval = 2000
const leaseRenewInterval = 15_000
/** Maximum time of a run, in milliseconds. Its progress is saved, and the next run continues. */
const maxRunTime = 30 * 60_000

/** The jobs that sync due accounts. A lease ensures that one process at a time syncs an account. */
export function createSyncJobs(deps: SyncJobDeps, kinds: readonly SyncKind[]): Job[] {
  // Each run looks for accounts of another kind first, so that no kind waits for all accounts of the others.
  let first = 0
  const run = async (signal: AbortSignal, skipsFailed: boolean) => {
    first = (first + 1) % kinds.length
    for (const kind of [...kinds.slice(first), ...kinds.slice(0, first)]) {
      const active = await kind.findActiveAccounts(deps.db)
      await createMissingStates(deps.db, kind.column, active)
      const lease = await acquireLease(deps.db, kind, { active, skipsFailed })
      if (lease === null) continue
      await runSync(deps, { kind, active, lease }, signal)
      return { hasMore: true }
    }
    return undefined
  }
  const workDelay = syncWorkDelay(kinds)
  return Array.from({ length: maxConcurrentRuns }, (_, at) => ({
    name: 'syncs',
    interval,
    workDelay,
    timeout: maxRunTime,
    isExclusive: false,
    run: (signal) => run(signal, at === maxConcurrentRuns - 1),
  }))
}

async function runSync(
  { db, log, metrics }: SyncJobDeps,
  { kind, active, lease }: SyncTarget,
  stopping: AbortSignal,
): Promise<void> {
  const leaseLost = new AbortController()
  const renewal = setInterval(() => {
    renewLease(db, lease).then(
      (isOurs) => isOurs || leaseLost.abort(),
      // The database is unavailable. The next query of the run fails by itself.
      () => {},
    )
  }, leaseRenewInterval)
  const state = createRunState()
  const signal = AbortSignal.any([stopping, leaseLost.signal])
  const run = createRunContext({ db, log, kind, active, lease, state, signal })
  let result: RunResult
  try {
    await kind.run(lease.account, run)
    result = getEndResult(state, { kind, lease })
  } catch (error) {
    // Neither the end of the process nor a lost lease is the account's failure.
    if (signal.aborted) result = interruptedResult
    else {
      if (!(error instanceof SyncError)) log.error({ err: error, ...lease }, 'A sync failed')
      result = await getErrorResult(db, { kind, lease }, error)
    }
  } finally {
    clearInterval(renewal)
  }
  if (await retryWhileUnavailable(() => finishRun(db, lease, result)))
    getSyncCounters(metrics).countRun(kind.column, result.status, state.counts)
}
