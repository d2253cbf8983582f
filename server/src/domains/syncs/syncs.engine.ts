import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Registry } from 'prom-client'
import type { Db } from '../../platform/database/pool.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { retryWhileAway } from '../../platform/database/retry-while-away.ts'
import { isDatabaseAway } from '../../platform/database/pg-errors.ts'
import { patience, SyncError, type SyncKind, type SyncRun } from './syncs.kind.ts'
import {
  claim,
  countRequest,
  finish,
  isAnotherDue,
  markGap,
  noticeAccounts,
  readDay,
  renew,
} from './syncs.lease.ts'
import type { Claim, Ending } from './syncs.lease.ts'
import { syncCounters } from './syncs.metrics.ts'

interface Parts {
  db: Db
  log: FastifyBaseLogger
  metrics: Registry
}

/** How many accounts one process fetches at once. */
const lanes = 3
/** Milliseconds between two looks for what is due, and between two signs of life of a run. */
const lookEvery = 2000
const beatEvery = 15_000
/** The longest run; its progress is kept, and the next one goes on. */
const longest = 30 * 60_000

/** How long an account rests: 15 minutes at first, doubled with each further failure, 6 hours at the most. */
const restSeconds = (failures: number) => Math.min(15 * 60 * 2 ** (failures - patience), 6 * 3600)

/** Jobs that fetch whatever is due, each account by one process at a time. */
export function syncJobs(deps: Parts, kinds: readonly SyncKind[]): Job[] {
  const run = async (signal: AbortSignal) => {
    for (const kind of kinds) {
      const active = await kind.active(deps.db)
      await noticeAccounts(deps.db, kind.column, active)
      const claimed = await claim(deps.db, kind, active)
      if (claimed === null) continue
      await fetchAccount(deps, kind, active, claimed, signal)
      return { more: true }
    }
    return undefined
  }
  return Array.from({ length: lanes }, () => ({
    name: 'syncs',
    every: lookEvery,
    timeout: longest,
    alone: false,
    run,
  }))
}

async function fetchAccount(
  { db, log, metrics }: Parts,
  kind: SyncKind,
  active: readonly number[],
  claimed: Claim,
  stopping: AbortSignal,
): Promise<void> {
  const lost = new AbortController()
  const beat = setInterval(() => {
    renew(db, claimed).then(
      (still) => still || lost.abort(),
      // The database is away: what the run does next fails by itself.
      () => {},
    )
  }, beatEvery)
  const outcome: Outcome = { failed: [], counts: {}, keepsProgress: false }
  const run = runOf({ db, log, kind, active, claimed, outcome }, AbortSignal.any([stopping, lost.signal]))
  let ending: Ending
  try {
    await kind.run(claimed.account, run)
    ending = endingOfParts(kind, outcome)
  } catch (error) {
    if (!(error instanceof SyncError) && !run.signal.aborted)
      log.error({ err: error, ...claimed }, 'A sync failed')
    // A database that went away is no fault of the account's: its next run goes on at once.
    const interrupted = run.signal.aborted || isDatabaseAway(error)
    ending = await endingOf(db, kind, claimed, error, interrupted)
  } finally {
    clearInterval(beat)
  }
  if (await retryWhileAway(() => finish(db, claimed, ending)))
    syncCounters(metrics).ended(kind.column, ending.status, outcome.counts)
}

/** What a run came to so far. */
interface Outcome {
  /** Why parts of it failed. */
  failed: string[]
  counts: Record<string, number>
  keepsProgress: boolean
}

interface RunParts {
  db: Db
  log: FastifyBaseLogger
  kind: SyncKind
  active: readonly number[]
  claimed: Claim
  outcome: Outcome
}

function runOf({ db, log, kind, active, claimed, outcome }: RunParts, signal: AbortSignal): SyncRun {
  const { failed, counts } = outcome
  const { dailyRequests } = kind
  let requests = 0
  const note = (values: { phase: string } | { counts: string }) =>
    db
      .updateTable('sync_runs')
      .set({ ...values, seen_at: sql`now()` })
      .where('id', '=', claimed.run)
      .execute()
  const state = () =>
    db.updateTable('sync_states').where('id', '=', claimed.state).where('leased_by', '=', claimed.token)
  return {
    signal,
    log,
    progress: claimed.progress,
    memory: claimed.memory ?? {},
    async remember(memory) {
      await state()
        .set({ memory: JSON.stringify(memory) })
        .execute()
    },
    async saveProgress(progress) {
      await state()
        .set({ progress: JSON.stringify(progress) })
        .execute()
    },
    async phase(name) {
      await note({ phase: name })
    },
    async count(more) {
      for (const [what, n] of Object.entries(more)) counts[what] = (counts[what] ?? 0) + n
      await note({ counts: JSON.stringify(counts) })
    },
    async request() {
      if (signal.aborted) throw new SyncError('lost', 'Interrupted')
      const counted = await countRequest(db, claimed)
      if (counted === null) throw new SyncError('lost', 'Interrupted')
      if (counted.requests > dailyRequests)
        throw new SyncError('budget', `The ${dailyRequests} requests of the day are used up.`)
      requests += 1
      return new Date(counted.now)
    },
    get requests() {
      return requests
    },
    async budget() {
      const day = await readDay(db, claimed)
      return {
        left: Math.max(0, dailyRequests - day.requests),
        runs: Math.ceil((day.seconds * 1000) / kind.every),
      }
    },
    isAnotherDue: () => isAnotherDue(db, kind, active),
    fullAskedAt: claimed.fullAskedAt,
    keepProgress() {
      outcome.keepsProgress = true
    },
    markGap: (from, to) => markGap(db, claimed, from, to),
    async part(name, work) {
      try {
        await work()
      } catch (error) {
        const whole = error instanceof SyncError ? error.kind !== 'trouble' : false
        if (whole || signal.aborted) throw error
        if (!(error instanceof SyncError)) log.error({ err: error, part: name }, 'Part of a sync failed')
        failed.push(`${name}: ${reasonOf(error)}`)
      }
    },
    async money(balance, hold) {
      await state()
        .set({ balance, hold, money_at: sql`now()` })
        .execute()
    },
  }
}

const reasonOf = (error: unknown) =>
  error instanceof SyncError ? error.message : 'It failed here; the log says why.'

function endingOfParts(kind: SyncKind, { failed, keepsProgress }: Outcome): Ending {
  return {
    status: failed.length === 0 ? 'done' : 'partial',
    error: failed.length === 0 ? null : failed.join(' '),
    next: kind.every,
    failures: 'none',
    pause: null,
    keepProgress: keepsProgress,
  }
}

async function endingOf(
  db: Db,
  kind: SyncKind,
  claimed: Claim,
  error: unknown,
  aborted: boolean,
): Promise<Ending> {
  const failed = { status: 'failed', pause: null, keepProgress: true, failures: 'same', next: 0 } as const
  if (aborted) return { ...failed, error: 'Interrupted' }
  const reason = reasonOf(error)
  if (error instanceof SyncError && error.kind === 'wait') {
    return { ...failed, error: reason, pause: { seconds: error.seconds, reason } }
  }
  if (error instanceof SyncError && error.kind === 'budget') {
    return { ...failed, error: reason, pause: { seconds: (await readDay(db, claimed)).seconds, reason } }
  }
  const failures = claimed.failures + 1
  const resting = failures >= patience
  const pause = {
    seconds: restSeconds(failures),
    reason: `${failures} failures in a row, the last: ${reason}`,
  }
  return {
    ...failed,
    error: reason,
    failures: 'one more',
    next: kind.every,
    pause: resting ? pause : null,
  }
}
