import { sql } from 'kysely'
import type pg from 'pg'
import type { WorkDelay } from '../jobs/jobs.ts'
import type { DeliveryOutcome } from './queue.outcome.ts'

/** The tables of queued messages: status, attempts, next_at, leased_until, unsure, last_error, sent_at. */
export type QueueTable = 'uploads' | 'notices' | 'reset_mails' | 'account_mails' | 'view_messages'

/** A row that only this process may deliver until the lease ends. */
export interface LeasedRow {
  id: number
  /** The number of attempts, including the current one. */
  attempts: number
  leased_until: string
}

/** Longer than an attempt and the storing of its outcome can last. */
const leaseSeconds = 180

/**
 * Leases the row that has been due longest, or the row `id` even if it is not due. Returns null if there is no row, or if
 * another process has its lease. The attempt is counted before it starts. If a lease ended without an outcome, its process
 * was killed during the attempt, and the row is marked `unsure`.
 */
export async function leaseRow(
  pool: pg.Pool,
  table: QueueTable,
  id: number | null = null,
): Promise<LeasedRow | null> {
  const condition = id === null ? 'next_at <= now()' : 'id = $1'
  const text = `with due as (
      select id from ${table}
      where status = 'queued' and ${condition} and (leased_until is null or leased_until < now())
      order by next_at, id limit 1 for update skip locked
    )
    update ${table} q set leased_until = now() + interval '${leaseSeconds} seconds', attempts = q.attempts + 1,
      unsure = q.unsure or q.leased_until is not null, last_error = 'How the last attempt ended is not known'
    from due where q.id = due.id returning q.id, q.attempts, q.leased_until`
  const { rows } = await pool.query<LeasedRow>(text, id === null ? [] : [id])
  return rows[0] ?? null
}

/** Until a row that no process has leased is due. */
export const queueWorkDelay = (table: QueueTable): WorkDelay => sql`
  select extract(epoch from next_at - now()) * 1000 from ${sql.table(table)}
  where status = 'queued' and (leased_until is null or leased_until < now()) order by next_at limit 1`

/** Stores the outcome of an attempt. After the end of its lease, a process can only store that the row was sent. */
export async function recordOutcome(
  pool: pg.Pool,
  { table, row, outcome }: { table: QueueTable; row: LeasedRow; outcome: DeliveryOutcome },
): Promise<void> {
  const { status, attempts, lastError, retryIn, mayHaveArrived } = outcome
  await pool.query(
    `update ${table} set status = $3, attempts = $4, last_error = $5, unsure = unsure or $7,
       next_at = now() + $6 * interval '1 second', leased_until = null,
       sent_at = case when $3 = 'sent' then now() end
     where id = $1 and status = 'queued' and ($3 = 'sent' or leased_until = $2::timestamptz)`,
    [row.id, row.leased_until, status, attempts, lastError, retryIn, mayHaveArrived],
  )
}
