import type { SyncPart } from '@karvon/contract/lib/sync-health.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { SyncLease } from './syncs.lease.queries.ts'

/** Stores the part or the counts of a run. `counts` is JSON. */
export async function updateRun(
  db: Db,
  lease: SyncLease,
  values: { part: SyncPart; page: number | null } | { counts: string },
): Promise<void> {
  await db
    .updateTable('sync_runs')
    .set({ ...values, heartbeat_at: sql`now()` })
    .where('id', '=', lease.run)
    .execute()
}

/** Stores JSON that later runs of the account read. Changes nothing if another process has the lease. */
export async function updateState(
  db: Db,
  lease: SyncLease,
  values: { memory: string } | { progress: string },
): Promise<void> {
  await ownState(db, lease).set(values).execute()
}

/** Stores the money of the account. Changes nothing if another process has the lease. */
export async function updateBalance(
  db: Db,
  lease: SyncLease,
  { balance, hold }: { balance: string | null; hold: string | null },
): Promise<void> {
  await ownState(db, lease)
    .set({ balance, hold, money_at: sql`now()` })
    .execute()
}

const ownState = (db: Db, lease: SyncLease) =>
  db.updateTable('sync_states').where('id', '=', lease.state).where('leased_by', '=', lease.token)
