import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { AccountColumn, SyncKind } from './syncs.kind.ts'

/** Seconds after which another process takes an account whose run said nothing more. */
const leaseSeconds = 60

/** An account that this process alone fetches now. `token` proves it at every step. */
export interface Claim {
  state: number
  account: number
  run: number
  token: string
  /** Failures in a row before this run. */
  failures: number
  progress: Record<string, unknown> | null
  memory: Record<string, unknown> | null
  /** When a person last asked for a full reading; an ISO text. */
  fullAskedAt: string | null
}

/** Every active account has its row, so that it is due at once. */
export async function noticeAccounts(
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

/** SQL for the accounts that are due and that nobody fetches. */
const isDue = ({ column }: SyncKind, active: readonly number[]) => sql<boolean>`
  ${sql.ref(column)} = any(${active}::bigint[]) and next_run_at <= now()
  and coalesce(leased_until, now()) <= now() and coalesce(paused_until, now()) <= now()`

/** Whether another account of the kind is due, as {@link claim} would take it. */
export async function isAnotherDue(db: Db, kind: SyncKind, active: readonly number[]): Promise<boolean> {
  const { rows } = await sql`select 1 from sync_states where ${isDue(kind, active)} limit 1`.execute(db)
  return rows.length > 0
}

/** Takes the account that is due the longest, and opens its run; null when none is due or others have them all. */
export async function claim(db: Db, kind: SyncKind, active: readonly number[]): Promise<Claim | null> {
  const token = randomUUID()
  const column = sql.ref(kind.column)
  return db.transaction().execute(async (trx) => {
    if (kind.single) {
      await sql`select pg_advisory_xact_lock(hashtext(${kind.column}))`.execute(trx)
      const { rows: busy } =
        await sql`select 1 from sync_states where ${column} is not null and leased_until > now()
        limit 1`.execute(trx)
      if (busy.length > 0) return null
    }
    const { rows } = await sql<Omit<Claim, 'run' | 'token'> & { asked_by: number | null }>`
      update sync_states s set leased_until = now() + make_interval(secs => ${leaseSeconds}), leased_by = ${token},
        asked_by = null, paused_until = null, pause_reason = null
      from (
        select id, asked_by from sync_states
        where ${isDue(kind, active)}
        order by next_run_at, id limit 1 for update skip locked
      ) due
      where s.id = due.id
      returning s.id as state, s.${column} as account, s.progress, s.memory, s.failures,
        s.full_asked_at as "fullAskedAt", due.asked_by`.execute(trx)
    const [taken] = rows
    if (taken === undefined) return null
    // Its process died, or lost the lease: what it had stored is there, and this run goes on from its progress.
    await sql`update sync_runs set status = 'failed', finished_at = now(), error = 'Interrupted'
      where ${column} = ${taken.account} and status = 'running'`.execute(trx)
    const { rows: opened } = await sql<{ id: number }>`
      insert into sync_runs (${column}, asked_by) values (${taken.account}, ${taken.asked_by}) returning id`.execute(
      trx,
    )
    const { asked_by: _, ...account } = taken
    return { ...account, token, run: opened[0]?.id ?? 0 }
  })
}

/** Keeps the lease for another while; false when it is another's. */
export async function renew(db: Db, claimed: Claim): Promise<boolean> {
  const { rows } = await sql`
    update sync_states set leased_until = now() + make_interval(secs => ${leaseSeconds})
    where id = ${claimed.state} and leased_by = ${claimed.token} returning 1`.execute(db)
  return rows.length === 1
}

/** The requests of an account today, this one included, and the moment of this one by the database's clock. */
interface CountedRequest {
  requests: number
  now: string
}

/** Counts a request; null when the lease is another's. */
export async function countRequest(db: Db, claimed: Claim): Promise<CountedRequest | null> {
  const { rows } = await sql<CountedRequest>`
    update sync_states set requests = case when requests_day = current_date then requests else 0 end + 1,
      requests_day = current_date, leased_until = now() + make_interval(secs => ${leaseSeconds})
    where id = ${claimed.state} and leased_by = ${claimed.token}
    returning requests, clock_timestamp() as now`.execute(db)
  return rows[0] ?? null
}

/** The requests that an account made today, and the seconds to the end of the installation's day. */
export async function readDay(db: Db, claimed: Claim): Promise<{ requests: number; seconds: number }> {
  const { rows } = await sql<{ requests: number; seconds: number }>`
    select case when requests_day = current_date then requests else 0 end as requests,
      ceil(extract(epoch from current_date + 1 - now()))::int as seconds
    from sync_states where id = ${claimed.state}`.execute(db)
  return rows[0] ?? { requests: 0, seconds: 3600 }
}

/** Widens the time from which orders may be missing; see {@link SyncRun.markGap}. */
export async function markGap(db: Db, claimed: Claim, from: string, to: string): Promise<void> {
  await sql`
    update sync_states set gap_from = least(gap_from, ${from}::timestamptz), gap_to = greatest(gap_to, ${to}::timestamptz)
    where id = ${claimed.state} and leased_by = ${claimed.token}`.execute(db)
}

/** How a run ended, and what follows from it. */
export interface Ending {
  status: 'done' | 'partial' | 'failed'
  error: string | null
  /** Milliseconds to the next run; 0 for at once. */
  next: number
  /** In a row, this one included. */
  failures: 'none' | 'one more' | 'same'
  pause: { seconds: number; reason: string } | null
  keepProgress: boolean
}

/**
 * Closes a run and gives the account back; false where another process has it. An account that was asked for meanwhile
 * is due at once.
 */
export async function finish(db: Db, claimed: Claim, ending: Ending): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const failures = { none: sql`0`, 'one more': sql`failures + 1`, same: sql`failures` }[ending.failures]
    const { rows } = await sql`
      update sync_states set leased_until = null, leased_by = null, failures = ${failures},
        next_run_at = case when asked_by is null then now() + make_interval(secs => ${ending.next / 1000}) else now() end,
        paused_until = now() + make_interval(secs => ${ending.pause?.seconds ?? null}),
        pause_reason = ${ending.pause?.reason ?? null},
        progress = case when ${ending.keepProgress} then progress end,
        good_at = case when ${ending.status === 'done'} then now() else good_at end
      where id = ${claimed.state} and leased_by = ${claimed.token} returning 1`.execute(trx)
    // Another process has it: its claim closed this run.
    if (rows.length === 0) return false
    await sql`update sync_runs set status = ${ending.status}, error = ${ending.error}, finished_at = now(),
      seen_at = now(), phase = null where id = ${claimed.run}`.execute(trx)
    return true
  })
}

/**
 * Makes an account due now, whatever it waits for; `full` has it read everything. True when it is being fetched
 * already.
 */
export async function askNow(
  db: Db,
  column: AccountColumn,
  account: number,
  person: number,
  full = false,
): Promise<boolean> {
  const { rows } = await sql<{ running: boolean }>`
    insert into sync_states as s (${sql.ref(column)}, asked_by, full_asked_at)
    values (${account}, ${person}, case when ${full} then now() end)
    on conflict (${sql.ref(column)}) do update
      set next_run_at = now(), paused_until = null, pause_reason = null, asked_by = ${person},
        full_asked_at = coalesce(excluded.full_asked_at, s.full_asked_at)
    returning coalesce(s.leased_until > now(), false) as running`.execute(db)
  return rows[0]?.running ?? false
}
