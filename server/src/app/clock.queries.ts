import { sql } from 'kysely'
import type { Db } from '../platform/database/pool.ts'

/** All columns with a due time or the end of a lease, a pause or a block. */
export const dueTimeColumns = {
  alert_rules: ['next_at'],
  uploads: ['next_at', 'leased_until'],
  notices: ['next_at', 'leased_until'],
  reset_mails: ['next_at', 'leased_until'],
  account_mails: ['next_at', 'leased_until'],
  // At an earlier time than its own, a schedule sends nothing, and its next time is calculated again.
  view_schedules: ['next_at'],
  view_messages: ['next_at', 'leased_until'],
  outgoing_postbacks: ['next_at', 'leased_until'],
  sync_states: ['next_run_at', 'leased_until', 'paused_until'],
  courier_rate_limit: ['next_at'],
  telegram_chats: ['paused_until'],
  sign_in_failures: ['blocked_until'],
  idempotency_keys: ['leased_until'],
}

/**
 * Times of the past, and ends that people chose. If they are in the future, an alert waits, or is not
 * reported, for as long as the clock was ahead. Links and codes would be valid for that much longer.
 */
const otherTimeColumns = {
  alert_rules: ['started_at'],
  alert_incidents: ['pending_since', 'no_data_since'],
  alert_receivers: ['snoozed_until'],
  lead_arrivals: ['at'],
  stream_arrivals: ['last_at'],
  // An import whose process ended would not count as interrupted.
  imports: ['heartbeat_at'],
  // A parcel that changes after the comparison of its act would not be compared again.
  settlement_acts: ['checked_at'],
  telegram_links: ['muted_until', 'code_until'],
  reset_links: ['expires_at'],
  sessions: ['last_used_at'],
}

/**
 * Stores the clock, unless it was set back by more than `seconds` since it was stored. Answers whether it is
 * stored.
 */
export async function saveUnlessSetBack(db: Db, seconds: number): Promise<boolean> {
  const { rows } = await sql`update database_clock set stored_at = now()
    where stored_at <= now() + make_interval(secs => ${seconds}) returning 1`.execute(db)
  return rows.length > 0
}

/**
 * The seconds that the clock was set back since it was stored; negative without a change. Locks the stored
 * clock.
 */
export async function readClockStep(trx: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from stored_at - now())::float8 as seconds from database_clock for update`.execute(
    trx,
  )
  return rows[0]?.seconds ?? 0
}

export async function saveClock(trx: Db): Promise<void> {
  await sql`update database_clock set stored_at = now()`.execute(trx)
}

/** Moves all future due times, and other times that must not be in the future, back by `seconds`. */
export async function moveDueTimesBack(trx: Db, seconds: number): Promise<void> {
  const shift = sql`make_interval(secs => ${seconds})`
  for (const [table, columns] of [...Object.entries(dueTimeColumns), ...Object.entries(otherTimeColumns)]) {
    for (const column of columns.map((name) => sql.ref(name)))
      await sql`update ${sql.table(table)} set ${column} = ${column} - ${shift} where ${column} > now()`.execute(
        trx,
      )
  }
  // A session that began before keeps its end.
  await sql`update sessions set created_at = created_at - ${shift}, expires_at = expires_at - ${shift}
      where created_at > now()`.execute(trx)
  await sql`update telegram_chats set sent_times = array(select t - ${shift} from unnest(sent_times) t)
      where sent_times[cardinality(sent_times)] > now()`.execute(trx)
}
