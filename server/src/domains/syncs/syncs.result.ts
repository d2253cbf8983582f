import type { SyncReason } from '@karvon/contract/lib/sync-health.ts'
import { isDatabaseUnavailable } from '../../platform/database/pg-errors.ts'
import type { Db } from '../../platform/database/pool.ts'
import { failuresBeforePause, getReasons, SyncError, type SyncKind } from './syncs.kind.ts'
import {
  formatReasons,
  interruption,
  readDailyUsage,
  type RunResult,
  type SyncLease,
} from './syncs.lease.queries.ts'
import type { RunState } from './syncs.run.ts'

/**
 * Milliseconds until the next run after the database was unavailable. An account whose rows it cannot store would otherwise run
 * without a pause.
 */
const unavailablePause = 10_000

/** Seconds of an account's pause: 15 minutes at first, twice as long after each further failure, 6 hours at most. */
const getPauseSeconds = (failures: number) =>
  Math.min(15 * 60 * 2 ** (failures - failuresBeforePause), 6 * 3600)

/** True if every part that made a request failed before it read a row. */
const hasReadNothing = ({
  requests,
  failedRequests,
  counts: { requests: _requests, ...rowCounts },
}: RunState) =>
  requests > 0 && failedRequests === requests && Object.values(rowCounts).every((count) => count === 0)

/** The account of a run. */
interface RunAccount {
  kind: SyncKind
  lease: SyncLease
}

/** The result of a run that came to its end. */
export const getEndResult = (state: RunState, account: RunAccount): RunResult =>
  hasReadNothing(state) ? createFailedResult(state.failedParts, account) : getPartsResult(account.kind, state)

function getPartsResult(kind: SyncKind, { failedParts, keepsProgress }: RunState): RunResult {
  return {
    status: failedParts.length === 0 ? 'done' : 'partial',
    reasons: failedParts,
    nextRunIn: kind.interval,
    failures: 'none',
    pause: null,
    keepsProgress,
  }
}

const failedResult = {
  status: 'failed',
  pause: null,
  keepsProgress: true,
  failures: 'same',
  nextRunIn: 0,
} as const
export const interruptedResult: RunResult = { ...failedResult, reasons: [interruption] }

/** The result of a run that ended with an error. */
export async function getErrorResult(db: Db, account: RunAccount, error: unknown): Promise<RunResult> {
  if (error instanceof SyncError && error.kind === 'changed')
    return { ...interruptedResult, reasons: [{ part: null, ...error.reason }], keepsProgress: false }
  // An unavailable database is not the account's failure.
  if (isDatabaseUnavailable(error)) return { ...interruptedResult, nextRunIn: unavailablePause }
  const reasons = getReasons(error).map((reason) => ({ part: null, ...reason }))
  const reason = formatReasons(reasons)
  if (error instanceof SyncError && error.kind === 'rate_limited') {
    return { ...failedResult, reasons, pause: { seconds: error.seconds, reason, isRateLimited: true } }
  }
  if (error instanceof SyncError && error.kind === 'budget') {
    const { seconds } = await readDailyUsage(db, account.lease)
    return { ...failedResult, reasons, pause: { seconds, reason, isRateLimited: false } }
  }
  return createFailedResult(reasons, account)
}

/** The result of a run that counts as a failure of the account. Several in a row pause it. */
function createFailedResult(reasons: readonly SyncReason[], { kind, lease }: RunAccount): RunResult {
  const failures = lease.failures + 1
  const pause = {
    seconds: getPauseSeconds(failures),
    reason: `${failures} failures in a row, the last: ${formatReasons(reasons)}`,
    isRateLimited: false,
  }
  return {
    ...failedResult,
    reasons,
    failures: 'one more',
    nextRunIn: kind.interval,
    pause: failures >= failuresBeforePause ? pause : null,
  }
}
