import type { SyncReason } from '@karvon/contract/lib/sync-health.ts'
import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { WorkDelay } from '../../platform/jobs/jobs.ts'
import { accountTables, type AccountColumn, type SyncKind } from './syncs.kind.ts'

/** Seconds until a lease expires without a renewal. */
const leaseSeconds = 60

/** The lease of an account. Only the process with `token` may change the account's state. */
export interface SyncLease {
  state: number
  account: number
  /** The time of the last change of the account. */
  accountUpdatedAt: string
  run: number
  token: string
  /** Failures in a row before this run. */
  failures: number
  progress: Record<string, unknown> | null
  memory: Record<string, unknown> | null
  /** The time when a person last requested a full scan, as an ISO text. */
  fullScanRequestedAt: string | null
  /** True if a person requested the run. */
  isRequested: boolean
}

/** SQL: the account of a lease as it was when the run began, if it is active. */
const unchangedAccount = ({ column, activeAccounts }: SyncKind, lease: SyncLease) => sql`
  select 1 from ${sql.table(accountTables[column])} a
  where a.id = ${lease.account} and a.updated_at = ${lease.accountUpdatedAt}::timestamptz
    and a.id in (select id from (${activeAccounts}) active)`

/** Locks the account until the end of the transaction. Answers false if it was changed or deactivated since the run began. */
export async function lockUnchangedAccount(trx: Db, kind: SyncKind, lease: SyncLease): Promise<boolean> {
  const { rows } = await sql`${unchangedAccount(kind, lease)} for share of a`.execute(trx)
  return rows.length > 0
}

/** Inserts the missing rows of active accounts. A new account is due at once. */
export async function createMissingStates(
  db: Db,
  column: AccountColumn,
  active: readonly number[],
): Promise<void> {
  if (active.length === 0) return
  await sql`
    insert into sync_states (${sql.ref(column)})
    select a.account from unnest(${active}::bigint[]) as a (account)
    where not exists (select 1 from sync_states s where s.${sql.ref(column)} = a.account)
    on conflict (${sql.ref(column)}) do nothing`.execute(db)
}

/** SQL: the account is active and due, and no process has its lease. */
const isDue = ({ column }: SyncKind, active: readonly number[]) => sql<boolean>`
  ${sql.ref(column)} = any(${active}::bigint[]) and next_run_at <= now()
  and coalesce(leased_until, now()) <= now() and coalesce(paused_until, now()) <= now()`

/** True if another account of the kind is due and available. */
export async function hasDueAccount(db: Db, kind: SyncKind, active: readonly number[]): Promise<boolean> {
  const { rows } = await sql`select 1 from sync_states where ${isDue(kind, active)} limit 1`.execute(db)
  return rows.length > 0
}

/** Until one of the active accounts is due and available. */
export function syncWorkDelay(kinds: readonly SyncKind[]): WorkDelay {
  const times = kinds.map(
    ({ column, activeAccounts }) => sql`(
      select min(coalesce(greatest(next_run_at, leased_until, paused_until), now()))
      from (${activeAccounts}) a left join sync_states s on s.${sql.ref(column)} = a.id)`,
  )
  return sql`extract(epoch from least(${sql.join(times)}) - now()) * 1000`
}

/**
 * Acquires the lease of the account that has been due longest, and starts its run; null if no account is available.
 * `skipsFailed`: not of an account whose last run failed.
 */
export async function acquireLease(
  db: Db,
  kind: SyncKind,
  { active, skipsFailed }: { active: readonly number[]; skipsFailed: boolean },
): Promise<SyncLease | null> {
  const token = randomUUID()
  const column = sql.ref(kind.column)
  return db.transaction().execute(async (trx) => {
    if (kind.isExclusive) {
      await sql`select pg_advisory_xact_lock(hashtext(${kind.column}))`.execute(trx)
      const { rows: busy } =
        await sql`select 1 from sync_states where ${column} is not null and leased_until > now()
        limit 1`.execute(trx)
      if (busy.length > 0) return null
    }
    const { rows } = await sql<
      Omit<SyncLease, 'run' | 'token' | 'isRequested'> & { requested_by: number | null }
    >`
      update sync_states s set leased_until = now() + make_interval(secs => ${leaseSeconds}), leased_by = ${token},
        requested_by = null, paused_until = null, pause_reason = null, is_rate_limited = false
      from (
        select id, requested_by from sync_states
        where ${isDue(kind, active)} and (failures = 0 or not ${skipsFailed})
        order by next_run_at, id limit 1 for update skip locked
      ) due
      where s.id = due.id
      returning s.id as state, s.${column} as account, s.progress, s.memory, s.failures,
        (select a.updated_at::text from ${sql.table(accountTables[kind.column])} a where a.id = s.${column})
          as "accountUpdatedAt", s.full_requested_at as "fullScanRequestedAt", due.requested_by`.execute(trx)
    const [row] = rows
    if (row === undefined) return null
    // The process of a run that still has this status died or lost the lease. The new run continues from its progress.
    await sql`update sync_runs set status = 'failed', finished_at = now(), ${setReasons([interruption])}
      where ${column} = ${row.account} and status = 'running'`.execute(trx)
    const { rows: insertedRuns } = await sql<{ id: number }>`
      insert into sync_runs (${column}, requested_by) values (${row.account}, ${row.requested_by}) returning id`.execute(
      trx,
    )
    const { requested_by: person, ...account } = row
    return { ...account, isRequested: person !== null, token, run: insertedRuns[0]?.id ?? 0 }
  })
}

/** Renews the lease; false if another process has it. */
export async function renewLease(db: Db, lease: SyncLease): Promise<boolean> {
  const { rows } = await sql`
    update sync_states set leased_until = now() + make_interval(secs => ${leaseSeconds})
    where id = ${lease.state} and leased_by = ${lease.token} returning 1`.execute(db)
  return rows.length === 1
}

/**
 * The number of today's requests of an account, the time of the last one by the database's clock, and whether the account is
 * as it was when the run began.
 */
interface CountedRequest {
  requests: number
  now: string
  is_unchanged: boolean
}

/** Counts a request; null if another process has the lease. */
export async function countRequest(db: Db, kind: SyncKind, lease: SyncLease): Promise<CountedRequest | null> {
  const { rows } = await sql<CountedRequest>`
    update sync_states set requests = case when requests_day = current_date then requests else 0 end + 1,
      requests_day = current_date, leased_until = now() + make_interval(secs => ${leaseSeconds})
    where id = ${lease.state} and leased_by = ${lease.token}
    returning requests, clock_timestamp() as now, exists (${unchangedAccount(kind, lease)}) as is_unchanged`.execute(
    db,
  )
  return rows[0] ?? null
}

/** The number of today's requests of an account, and the seconds until the end of the installation's day. */
export async function readDailyUsage(
  db: Db,
  lease: SyncLease,
): Promise<{ requests: number; seconds: number }> {
  const { rows } = await sql<{ requests: number; seconds: number }>`
    select case when requests_day = current_date then requests else 0 end as requests,
      ceil(extract(epoch from current_date + 1 - now()))::int as seconds
    from sync_states where id = ${lease.state}`.execute(db)
  return rows[0] ?? { requests: 0, seconds: 3600 }
}

/** Extends the time range in which orders may be missing. */
export async function recordGap(
  db: Db,
  lease: SyncLease,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await sql`
    update sync_states set gap_from = least(gap_from, ${from}::timestamptz), gap_to = greatest(gap_to, ${to}::timestamptz)
    where id = ${lease.state} and leased_by = ${lease.token}`.execute(db)
}

export const interruption: SyncReason = { part: null, ...describeSync('sync_interrupted') }

/** The sentence of reasons for programs and for the search. */
export const formatReasons = (reasons: readonly SyncReason[]): string =>
  reasons
    .map(({ part, message }) => (part === null ? message : `${part.replace('_', ' ')}: ${message}`))
    .join(' ')

const setReasons = (reasons: readonly SyncReason[]) =>
  sql`error = ${reasons.length === 0 ? null : formatReasons(reasons)}, reasons = ${JSON.stringify(reasons)}`

/** The result of a run, and the changes of the account's state. */
export interface RunResult {
  status: 'done' | 'partial' | 'failed'
  /** Why the run or parts of it failed. */
  reasons: readonly SyncReason[]
  /** Milliseconds until the next run; 0 for at once. */
  nextRunIn: number
  /** The change of the number of failures in a row. */
  failures: 'none' | 'one more' | 'same'
  /** `isRateLimited`: the other side requires the pause. */
  pause: { seconds: number; reason: string; isRateLimited: boolean } | null
  keepsProgress: boolean
}

/**
 * Finishes a run and releases the lease; false if another process has the lease. The account is due at once if a person
 * requested a run in the meantime: a request prevents a pause, unless the other side requires it.
 */
export async function finishRun(db: Db, lease: SyncLease, result: RunResult): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const failures = { none: sql`0`, 'one more': sql`failures + 1`, same: sql`failures` }[result.failures]
    const { pause } = result
    const isRateLimited = pause?.isRateLimited ?? false
    const isPaused = sql`(requested_by is null or ${isRateLimited}::boolean)`
    const { rows } = await sql`
      update sync_states set leased_until = null, leased_by = null, failures = ${failures},
        next_run_at = case when requested_by is null then now() + make_interval(secs => ${result.nextRunIn / 1000}) else now() end,
        paused_until = case when ${isPaused} then now() + make_interval(secs => ${pause?.seconds ?? null}) end,
        pause_reason = case when ${isPaused} then ${pause?.reason ?? null} end, is_rate_limited = ${isRateLimited},
        progress = case when ${result.keepsProgress} then progress end,
        last_success_at = case when ${result.status === 'done'} then now() else last_success_at end
      where id = ${lease.state} and leased_by = ${lease.token} returning 1`.execute(trx)
    // Another process has the lease. It finished this run when it acquired the lease.
    if (rows.length === 0) return false
    await sql`update sync_runs set status = ${result.status}, ${setReasons(result.reasons)}, finished_at = now(),
      heartbeat_at = now(), part = null, page = null where id = ${lease.run}`.execute(trx)
    return true
  })
}

export interface RunRequest {
  column: AccountColumn
  account: number
  person: number
  /** Requests a full scan. */
  isFull?: boolean | undefined
  /** Requests the orders of inclusive days, instead of those that were requested before. */
  orders?: { date_from: string; date_to: string }
}

/**
 * Makes an account due at once and ends its pause, unless the other side requires the pause: then the run begins at its end.
 * `running`: a run is active already. `previous_run_id`: of the last run, active or not; 0 without one.
 */
export async function requestRun(
  db: Db,
  { column, account, person, isFull = false, orders }: RunRequest,
): Promise<{ running: boolean; previous_run_id: number }> {
  const { rows } = await sql<{ running: boolean; previous_run_id: number }>`
    insert into sync_states as s (${sql.ref(column)}, requested_by, full_requested_at, orders_from, orders_to)
    values (${account}, ${person}, case when ${isFull} then now() end, ${orders?.date_from ?? null},
      ${orders?.date_to ?? null})
    on conflict (${sql.ref(column)}) do update
      set next_run_at = now(), requested_by = ${person},
        paused_until = case when s.is_rate_limited then s.paused_until end,
        pause_reason = case when s.is_rate_limited then s.pause_reason end,
        full_requested_at = coalesce(excluded.full_requested_at, s.full_requested_at),
        orders_from = coalesce(excluded.orders_from, s.orders_from),
        orders_to = coalesce(excluded.orders_to, s.orders_to)
    returning coalesce(s.leased_until > now(), false) as running,
      (select coalesce(max(r.id), 0) from sync_runs r where r.${sql.ref(column)} = ${account}) as previous_run_id`.execute(
    db,
  )
  return rows[0] ?? { running: false, previous_run_id: 0 }
}
