import type pg from 'pg'
import type { DeliveryOutcome } from './queue.outcome.ts'

/** The tables of queued messages: status, attempts, next_at, leased_until, unsure, last_error, sent_at. */
export type QueueTable = 'uploads' | 'notices' | 'reset_mails' | 'account_mails'

/** A row that this process alone may deliver until its lease ends. */
export interface LeasedRow {
  id: number
  /** This one included. */
  attempts: number
  leased_until: string
}

/** Longer than one attempt and the note of its outcome can last. */
const leaseSeconds = 180

/**
 * Leases the row that has been due longest, or the row `id`, whenever it is due; null where there is none, or
 * another process holds it. The attempt is counted before it starts: a row whose lease ended without an outcome was
 * being sent by a process that was killed, and is marked `unsure`.
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

/** The milliseconds until a row that no process has leased is due; null without such a row. */
export async function readQueueDelay(pool: pg.Pool, table: QueueTable): Promise<number | null> {
  const { rows } = await pool.query<{ delay: number }>(
    `select extract(epoch from next_at - now())::float8 * 1000 as delay from ${table}
     where status = 'queued' and (leased_until is null or leased_until < now()) order by next_at limit 1`,
  )
  return rows[0]?.delay ?? null
}

/** Stores the outcome of an attempt. A process whose lease ended meanwhile may still store that the row was sent. */
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
