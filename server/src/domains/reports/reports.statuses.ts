import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { lockStatusesExclusive } from '../leads/leads.status-lock.queries.ts'
import { findBatchEnd } from './reports.days.queries.ts'
import { countStatuses, readCountedTo, saveCountedTo, statusesWorkDelay } from './reports.statuses.queries.ts'

/** Leads in one transaction. An ingest waits while one batch runs. */
const batchSize = 5000

/**
 * Counts the leads that were stored before there were totals of statuses. Triggers count changes of leads that are counted
 * already, so each lead counts once. Until the end, Explore does not read these totals. Safe to repeat after a kill.
 */
export async function countLeadStatuses(db: Db, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const isDone = await db.transaction().execute(async (trx) => {
      // Exclusive, because the ingest locks rows in another order: it waits until the end of the transaction.
      await lockStatusesExclusive(trx)
      const after = await readCountedTo(trx)
      if (after === null) return true
      const last = await findBatchEnd(trx, after, batchSize)
      if (last !== null) await countStatuses(trx, after, last)
      await saveCountedTo(trx, last)
      return last === null
    })
    if (isDone) return
  }
}

export const countLeadStatusesJob = ({ db }: Deps): Job => ({
  name: 'count-lead-statuses',
  interval: 60_000,
  timeout: 6 * 3_600_000,
  isExclusive: true,
  workDelay: statusesWorkDelay,
  run: (signal) => countLeadStatuses(db, signal),
})
