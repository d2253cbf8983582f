import { sql } from 'kysely'
import type pg from 'pg'
import type { WorkDelay } from '../jobs/jobs.ts'
import type { DeliveryOutcome } from './queue.outcome.ts'

/** The tables of queued messages: status, attempts, next_at, leased_until, unsure, last_error, sent_at. */
export type QueueTable = 'uploads' | 'notices' | 'reset_mails' | 'account_mails' | 'view_messages'

/** The queues that are fair between their people. Their rows have a person and the time of their last attempt. */
const fairTables: ReadonlySet<QueueTable> = new Set(['notices', 'view_messages'])

/** A row that only this process may deliver until the lease ends. */
export interface LeasedRow {
  id: number
  /** The number of attempts, including the current one. */
  attempts: number
  leased_until: string
}

/** Longer than an attempt with the storing of its outcome. */
const leaseSeconds = 180

/** SQL: no process has the row `q`. */
const isFree = (q: string) => `(${q}.leased_until is null or ${q}.leased_until < now())`

/** SQL: the queued row `q` can be attempted now. */
export const isDue = (q: string): string =>
  `${q}.status = 'queued' and ${q}.next_at <= now() and ${isFree(q)}`

/**
 * SQL of a recursive table `name (id)`: the ids in `column` of queued rows, and a last null. It reads one entry of the index for
 * each id.
 */
export const selectQueuedIds = (name: string, table: string, column: string): string => `${name} (id) as (
    (select q.${column} from ${table} q
      where q.status = 'queued' and q.${column} is not null order by q.${column} limit 1)
    union all
    select (select q.${column} from ${table} q
      where q.status = 'queued' and q.${column} > ${name}.id order by q.${column} limit 1)
    from ${name} where ${name}.id is not null
  )`

/** SQL: the row that has been due longest. */
const selectLongestDue = (table: QueueTable) =>
  `select q.id from ${table} q where ${isDue('q')} order by q.next_at, q.id limit 1 for update skip locked`

const selectById = (table: QueueTable) =>
  `select q.id from ${table} q where q.id = $1 and q.status = 'queued' and ${isFree('q')} for update skip locked`

/**
 * SQL: of the people with due rows, the one whose last attempt is oldest, and of this person the row that has been due
 * longest. So the many rows of one person delay another person by one row. The condition stands twice, because a lock checks
 * again only the row that it locks.
 */
const selectFairly = (table: QueueTable) => `with recursive ${selectQueuedIds('people', table, 'user_id')}
    select q.id from people
    cross join lateral (
      select n.id from ${table} n where n.user_id = people.id and ${isDue('n')} order by n.next_at, n.id limit 1
    ) n
    join ${table} q on q.id = n.id and ${isDue('q')}
    order by (select max(a.attempted_at) from ${table} a where a.user_id = people.id) nulls first, q.next_at, q.id
    limit 1 for update of q skip locked`

/**
 * Leases the row that is next, or the row `id` even if it is not due. Returns null if there is none, or
 * if another process has the lease. The attempt is counted before it starts. If a lease ended without an outcome, the
 * process was killed during the attempt, so the row becomes `unsure`: its message may have arrived.
 */
export async function leaseRow(
  pool: pg.Pool,
  table: QueueTable,
  id: number | null = null,
): Promise<LeasedRow | null> {
  const isFair = fairTables.has(table)
  const selectNext = isFair ? selectFairly : selectLongestDue
  const text = `with due as (${id === null ? selectNext(table) : selectById(table)})
    update ${table} q set leased_until = now() + interval '${leaseSeconds} seconds', attempts = q.attempts + 1,
      unsure = q.unsure or q.leased_until is not null, ${isFair ? 'attempted_at = now(),' : ''}
      last_error = 'The outcome of the last attempt is unknown'
    from due where q.id = due.id returning q.id, q.attempts, q.leased_until`
  const { rows } = await pool.query<LeasedRow>(text, id === null ? [] : [id])
  return rows[0] ?? null
}

/** The time until the next row without a lease is due. */
export const queueWorkDelay = (table: QueueTable): WorkDelay => sql`
  select extract(epoch from q.next_at - now()) * 1000 from ${sql.table(table)} q
  where q.status = 'queued' and ${sql.raw(isFree('q'))} order by q.next_at limit 1`

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
