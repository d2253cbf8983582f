import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

// The status lock: statuses, status types and mappings do not change while leads are written. A transaction that
// writes leads takes the lock shared; a transaction that changes a mapping or the type of a status takes it
// exclusively. Take the lock first in a transaction, before any row lock and in its own statement, so that the next
// statement sees what the other transaction committed.

/** Call it before leads are written. Many transactions can hold the lock. */
export async function lockStatusesShared(trx: Db): Promise<void> {
  await sql`select lead_states_read()`.execute(trx)
}

/** Call it before a mapping or the type of a status is changed. One transaction holds the lock. */
export async function lockStatusesExclusive(trx: Db): Promise<void> {
  await sql`select lead_states_change()`.execute(trx)
}
