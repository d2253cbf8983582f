import type { SyncPart, SyncReason } from '@karvon/contract/lib/sync-health.ts'
import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import type { FastifyBaseLogger } from 'fastify'
import { canRetryReferences } from '../../platform/database/pg-errors.ts'
import type { Db } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { getReasons, SyncError, type SyncKind, type SyncRunContext } from './syncs.kind.ts'
import {
  countRequest,
  hasDueAccount,
  interruption,
  lockUnchangedAccount,
  readDailyUsage,
  recordGap,
  type SyncLease,
} from './syncs.lease.queries.ts'
import { updateBalance, updateRun, updateState } from './syncs.run.queries.ts'

/** Milliseconds after which a run ends while other accounts wait. */
const maxRunTimeBesideOthers = 5 * 60_000

/** The account that a run syncs. */
export interface SyncTarget {
  kind: SyncKind
  /** The ids of the active accounts of the kind. */
  active: readonly number[]
  lease: SyncLease
}

/** The state of a run. */
export interface RunState {
  /** The reasons why parts of the run failed. */
  failedParts: SyncReason[]
  requests: number
  /** The requests that the failed parts made. */
  failedRequests: number
  counts: Record<string, number>
  keepsProgress: boolean
}

export const createRunState = (): RunState => ({
  failedParts: [],
  requests: 0,
  failedRequests: 0,
  counts: {},
  keepsProgress: false,
})

interface RunDeps extends SyncTarget {
  db: Db
  log: FastifyBaseLogger
  state: RunState
  signal: AbortSignal
}

export function createRunContext(deps: RunDeps): SyncRunContext {
  const { db, log, kind, active, lease, state, signal } = deps
  const startedAt = performance.now()
  return {
    signal,
    log,
    progress: lease.progress,
    memory: lease.memory ?? {},
    fullScanRequestedAt: lease.fullScanRequestedAt,
    isRequested: lease.isRequested,
    get requestCount() {
      return state.requests
    },
    saveMemory: (memory) => updateState(db, lease, { memory: JSON.stringify(memory) }),
    saveProgress: (progress) => updateState(db, lease, { progress: JSON.stringify(progress) }),
    saveBalance: (balance, hold) =>
      saveIfUnchanged(deps, (trx) => updateBalance(trx, lease, { balance, hold })),
    recordGap: (from, to) => saveIfUnchanged(deps, (trx) => recordGap(trx, lease, { from, to })),
    setPart: (part, page) => updateRun(db, lease, { part, page: page ?? null }),
    store: (work) => storeIfUnchanged(deps, work),
    addCounts: (increments) => addCounts(deps, increments),
    countRequest: () => countAllowedRequest(deps),
    readBudget: () => readBudget(deps),
    runPart: (part, work) => runPart(deps, part, work),
    hasDueAccount: () => hasDueAccount(db, kind, active),
    shouldPause: async () =>
      performance.now() - startedAt > maxRunTimeBesideOthers && (await hasDueAccount(db, kind, active)),
    keepProgress() {
      state.keepsProgress = true
    },
  }
}

const createChangedError = () => new SyncError('changed', describeSync('sync_account_changed'))

function storeIfUnchanged<T>({ db, kind, lease }: RunDeps, work: (trx: Db) => Promise<T>): Promise<T> {
  return inTransaction(
    db,
    async (trx) => {
      const result = await work(trx)
      // At the end, because the lock of statuses comes before all others.
      if (!(await lockUnchangedAccount(trx, kind, lease))) throw createChangedError()
      return result
    },
    { shouldRetry: canRetryReferences },
  )
}

/** The lock of the account comes first, as in a change of the account, which forgets its balance and its gap. */
const saveIfUnchanged = ({ db, kind, lease }: RunDeps, save: (trx: Db) => Promise<void>): Promise<void> =>
  inTransaction(db, async (trx) => {
    if (!(await lockUnchangedAccount(trx, kind, lease))) throw createChangedError()
    await save(trx)
  })

async function addCounts(
  { db, lease, state: { counts } }: RunDeps,
  increments: Readonly<Record<string, number>>,
): Promise<void> {
  for (const [countName, n] of Object.entries(increments)) counts[countName] = (counts[countName] ?? 0) + n
  await updateRun(db, lease, { counts: JSON.stringify(counts) })
}

async function countAllowedRequest({ db, kind, lease, state, signal }: RunDeps): Promise<Date> {
  if (signal.aborted) throw new SyncError('lost', interruption)
  const request = await countRequest(db, kind, lease)
  if (request === null) throw new SyncError('lost', interruption)
  if (!request.is_unchanged) throw createChangedError()
  if (request.requests > kind.dailyRequests)
    throw new SyncError('budget', describeSync('sync_requests_used', { max: kind.dailyRequests }))
  state.requests += 1
  return new Date(request.now)
}

async function readBudget({ db, kind, lease }: RunDeps): Promise<{ requests: number; runs: number }> {
  const day = await readDailyUsage(db, lease)
  return {
    requests: Math.max(0, kind.dailyRequests - day.requests),
    runs: Math.ceil((day.seconds * 1000) / kind.interval),
  }
}

async function runPart(
  { log, state, signal }: RunDeps,
  part: SyncPart,
  work: () => Promise<void>,
): Promise<void> {
  const requestsBefore = state.requests
  try {
    await work()
  } catch (error) {
    const endsRun = error instanceof SyncError ? error.kind !== 'failed' : false
    if (endsRun || signal.aborted) throw error
    if (!(error instanceof SyncError)) log.error({ err: error, part }, 'Part of a sync failed')
    state.failedParts.push(...getReasons(error).map((reason) => ({ ...reason, part })))
    state.failedRequests += state.requests - requestsBefore
  }
}
