import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { findStatusRecount, recountsWorkDelay } from '../rollups/rollups.recounts.queries.ts'
import { hasMoreDeltas, maxDeltasPerFold } from './reports.fold.queries.ts'
import { recountNextBatch } from './reports.recounts.queries.ts'

/**
 * Moves the leads of statuses whose type changed to the report column of the new type. Each batch moves the cursor of its status in
 * the same transaction, so each lead counts in one column, also after a kill. It waits while more deltas than one fold takes are
 * pending, because every report reads all deltas.
 */
export async function recountStatuses(
  db: Db,
  signal?: AbortSignal,
  maxDeltas = maxDeltasPerFold,
): Promise<void> {
  while (!(await hasMoreDeltas(db, maxDeltas))) {
    signal?.throwIfAborted()
    const statusId = await findStatusRecount(db)
    if (statusId === null) return
    await db.transaction().execute((trx) => recountNextBatch(trx, statusId))
  }
}

export const recountStatusesJob = ({ db }: Deps): Job => ({
  name: 'recount-statuses',
  interval: 1000,
  timeout: 600_000,
  isExclusive: true,
  workDelay: recountsWorkDelay,
  run: (signal) => recountStatuses(db, signal),
})
