import type { Reason } from '@karvon/contract/lib/problem.ts'
import type { SyncReason } from '@karvon/contract/lib/sync-health.ts'
import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { Db } from '../../platform/database/pool.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { retryWhileUnavailable } from '../../platform/database/retry-while-unavailable.ts'
import { canRetryReferences, isDatabaseUnavailable } from '../../platform/database/pg-errors.ts'
import { failuresBeforePause, SyncError, type SyncKind, type SyncRunContext } from './syncs.kind.ts'
import {
  acquireLease,
  formatReasons,
  interruption,
  countRequest,
  finishRun,
  hasDueAccount,
  lockUnchangedAccount,
  recordGap,
  createMissingStates,
  readDailyUsage,
  renewLease,
  syncWorkDelay,
} from './syncs.lease.queries.ts'
import type { SyncLease, RunResult } from './syncs.lease.queries.ts'
import { updateBalance, updateRun, updateState } from './syncs.run.queries.ts'
import { getSyncCounters } from './syncs.metrics.ts'

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
/**
 * Milliseconds until the next run after the database was unavailable. An account whose rows it cannot store would otherwise run
 * without a pause.
 */
const unavailablePause = 10_000
/** Maximum time of a run, in milliseconds. Its progress is saved, and the next run continues. */
const maxRunTime = 30 * 60_000
/** The same while other accounts wait. */
const maxRunTimeBesideOthers = 5 * 60_000

/** Seconds of an account's pause: 15 minutes at first, twice as long after each further failure, 6 hours at most. */
const getPauseSeconds = (failures: number) =>
  Math.min(15 * 60 * 2 ** (failures - failuresBeforePause), 6 * 3600)

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

interface SyncTarget {
  kind: SyncKind
  /** The ids of the active accounts of the kind. */
  active: readonly number[]
  lease: SyncLease
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
  const state: RunState = {
    failedParts: [],
    requests: 0,
    failedRequests: 0,
    counts: {},
    keepsProgress: false,
  }
  const run = createRunContext(
    { db, log, kind, active, lease, state },
    AbortSignal.any([stopping, leaseLost.signal]),
  )
  let result: RunResult
  try {
    await kind.run(lease.account, run)
    result = hasReadNothing(state)
      ? createFailedResult(state.failedParts, { kind, lease })
      : getPartsResult(kind, state)
  } catch (error) {
    if (!(error instanceof SyncError) && !run.signal.aborted)
      log.error({ err: error, ...lease }, 'A sync failed')
    // An unavailable database is not the account's failure, and neither is the end of the process.
    if (run.signal.aborted) result = interruptedResult
    else if (error instanceof SyncError && error.kind === 'changed')
      result = { ...interruptedResult, reasons: [{ part: null, ...error.reason }], keepProgress: false }
    else if (isDatabaseUnavailable(error)) result = { ...interruptedResult, nextRunIn: unavailablePause }
    else result = await getFailureResult(db, { kind, lease, error })
  } finally {
    clearInterval(renewal)
  }
  if (await retryWhileUnavailable(() => finishRun(db, lease, result)))
    getSyncCounters(metrics).countRun(kind.column, result.status, state.counts)
}

/** The state of a run. */
interface RunState {
  /** The reasons why parts of the run failed. */
  failedParts: SyncReason[]
  requests: number
  /** The requests that the failed parts made. */
  failedRequests: number
  counts: Record<string, number>
  keepsProgress: boolean
}

/** True if every part that made a request failed before it read a row. */
const hasReadNothing = ({
  requests,
  failedRequests,
  counts: { requests: _requests, ...rowCounts },
}: RunState) =>
  requests > 0 && failedRequests === requests && Object.values(rowCounts).every((count) => count === 0)

interface RunContextDeps extends SyncTarget {
  db: Db
  log: FastifyBaseLogger
  state: RunState
}

function createRunContext(
  { db, log, kind, active, lease, state }: RunContextDeps,
  signal: AbortSignal,
): SyncRunContext {
  const { failedParts, counts } = state
  const { dailyRequests } = kind
  const startedAt = performance.now()
  return {
    signal,
    log,
    progress: lease.progress,
    memory: lease.memory ?? {},
    saveMemory: (memory) => updateState(db, lease, { memory: JSON.stringify(memory) }),
    saveProgress: (progress) => updateState(db, lease, { progress: JSON.stringify(progress) }),
    store: (work) =>
      inTransaction(
        db,
        async (trx) => {
          const result = await work(trx)
          // At the end, because the lock of statuses comes before all others.
          if (!(await lockUnchangedAccount(trx, kind, lease))) throw createChangedError()
          return result
        },
        { shouldRetry: canRetryReferences },
      ),
    setPart: (part, page) => updateRun(db, lease, { part, page: page ?? null }),
    async addCounts(increments) {
      for (const [countName, n] of Object.entries(increments))
        counts[countName] = (counts[countName] ?? 0) + n
      await updateRun(db, lease, { counts: JSON.stringify(counts) })
    },
    async countRequest() {
      if (signal.aborted) throw new SyncError('lost', interruption)
      const request = await countRequest(db, kind, lease)
      if (request === null) throw new SyncError('lost', interruption)
      if (!request.is_unchanged) throw createChangedError()
      if (request.requests > dailyRequests)
        throw new SyncError('budget', describeSync('sync_requests_used', { max: dailyRequests }))
      state.requests += 1
      return new Date(request.now)
    },
    get requestCount() {
      return state.requests
    },
    async readBudget() {
      const day = await readDailyUsage(db, lease)
      return {
        requests: Math.max(0, dailyRequests - day.requests),
        runs: Math.ceil((day.seconds * 1000) / kind.interval),
      }
    },
    hasDueAccount: () => hasDueAccount(db, kind, active),
    shouldPause: async () =>
      performance.now() - startedAt > maxRunTimeBesideOthers && (await hasDueAccount(db, kind, active)),
    fullScanRequestedAt: lease.fullScanRequestedAt,
    keepProgress() {
      state.keepsProgress = true
    },
    recordGap: (from, to) => recordGap(db, lease, { from, to }),
    async runPart(part, work) {
      const requestsBefore = state.requests
      try {
        await work()
      } catch (error) {
        const endsRun = error instanceof SyncError ? error.kind !== 'failed' : false
        if (endsRun || signal.aborted) throw error
        if (!(error instanceof SyncError)) log.error({ err: error, part }, 'Part of a sync failed')
        failedParts.push(...getReasons(error).map((reason) => ({ ...reason, part })))
        state.failedRequests += state.requests - requestsBefore
      }
    },
    saveBalance: (balance, hold) => updateBalance(db, lease, { balance, hold }),
  }
}

const getReasons = (error: unknown): readonly Reason[] =>
  error instanceof SyncError ? [error.reason, ...error.details] : [describeSync('sync_unexpected')]

function getPartsResult(kind: SyncKind, { failedParts, keepsProgress }: RunState): RunResult {
  return {
    status: failedParts.length === 0 ? 'done' : 'partial',
    reasons: failedParts,
    nextRunIn: kind.interval,
    failures: 'none',
    pause: null,
    keepProgress: keepsProgress,
  }
}

const failedResult = {
  status: 'failed',
  pause: null,
  keepProgress: true,
  failures: 'same',
  nextRunIn: 0,
} as const
const createChangedError = () => new SyncError('changed', describeSync('sync_account_changed'))
const interruptedResult: RunResult = { ...failedResult, reasons: [interruption] }

async function getFailureResult(
  db: Db,
  { kind, lease, error }: { kind: SyncKind; lease: SyncLease; error: unknown },
): Promise<RunResult> {
  const reasons = getReasons(error).map((reason) => ({ part: null, ...reason }))
  const reason = formatReasons(reasons)
  if (error instanceof SyncError && error.kind === 'rate_limited') {
    return { ...failedResult, reasons, pause: { seconds: error.seconds, reason } }
  }
  if (error instanceof SyncError && error.kind === 'budget') {
    const { seconds } = await readDailyUsage(db, lease)
    return { ...failedResult, reasons, pause: { seconds, reason } }
  }
  return createFailedResult(reasons, { kind, lease })
}

/** The result of a run that counts as a failure of the account. Several in a row pause it. */
function createFailedResult(
  reasons: readonly SyncReason[],
  { kind, lease }: { kind: SyncKind; lease: SyncLease },
): RunResult {
  const failures = lease.failures + 1
  const pause = {
    seconds: getPauseSeconds(failures),
    reason: `${failures} failures in a row, the last: ${formatReasons(reasons)}`,
  }
  return {
    ...failedResult,
    reasons,
    failures: 'one more',
    nextRunIn: kind.interval,
    pause: failures >= failuresBeforePause ? pause : null,
  }
}
