import type { Db } from '../../platform/database/pool.ts'
import {
  closeRemappedLeads,
  deleteRemap,
  fetchRemappedLeads,
  findNextRemap,
  lockRemappedLeads,
  openRemappedLeads,
  updateRemappedLeads,
  type Remap,
} from './leads.remap.queries.ts'
import { lockStatusesShared } from './leads.status-lock.queries.ts'
import { joinTransaction } from '../../platform/database/transaction.ts'

/** Leads in one transaction. The limit keeps the row locks short for other transactions. */
const batchSize = 1000

/** `isNewestFirst` starts with the last changed mapping. `maxLeadsPerStatus` limits the leads of each source status. */
interface RemapOptions {
  isNewestFirst?: boolean
  maxLeadsPerStatus?: number
}

/**
 * Applies changed mappings to stored leads, one source status at a time, until `signal` aborts. Returns `hasMore` if
 * source statuses are left, and the number of processed leads. A row leaves `lead_remaps` after all its leads are
 * updated, so the next run continues an interrupted one. Several runs at the same time are safe. `db` needs sessions: a
 * cursor outlives its transaction.
 */
export async function remapLeads(
  db: Db,
  signal: AbortSignal,
  { isNewestFirst = false, maxLeadsPerStatus }: RemapOptions = {},
): Promise<{ hasMore: boolean; leads: number }> {
  for (let leads = 0; ;) {
    const remap = await findNextRemap(db, isNewestFirst)
    if (remap === undefined) return { hasMore: false, leads }
    if (signal.aborted) return { hasMore: true, leads }
    const result = await remapSourceStatus(db, { remap, signal, maxLeads: maxLeadsPerStatus })
    leads += result.leads
    if (!result.isComplete) return { hasMore: true, leads }
    // If the mapping changed again in the meantime, the row has another id.
    await deleteRemap(db, remap.id)
  }
}

/** `isComplete`: no lead of the source status is left. A cursor in the database holds the ids of the leads. */
async function remapSourceStatus(
  db: Db,
  { remap, signal, maxLeads }: { remap: Remap; signal: AbortSignal; maxLeads?: number | undefined },
): Promise<{ isComplete: boolean; leads: number }> {
  return db.connection().execute(async (connection) => {
    // With a limit a person waits, and a search through millions of leads would take too long.
    await openRemappedLeads(connection, remap, {
      limit: maxLeads ?? null,
      timeout: maxLeads === undefined ? '10min' : '2s',
    })
    try {
      for (let leads = 0; ;) {
        if (signal.aborted) return { isComplete: false, leads }
        const ids = await fetchRemappedLeads(connection, batchSize)
        if (ids.length === 0) return { isComplete: leads !== maxLeads, leads }
        leads += ids.length
        await remapBatch(connection, remap, ids)
      }
    } finally {
      await closeRemappedLeads(connection)
    }
  })
}

/** Does not change the update time of the leads: the source reported nothing new. */
function remapBatch(db: Db, remap: Remap, ids: readonly number[]): Promise<void> {
  return joinTransaction(db, async (trx) => {
    await lockStatusesShared(trx)
    // Only the locked leads: a lead that fits since would be locked out of order, which can deadlock.
    await updateRemappedLeads(trx, remap, await lockRemappedLeads(trx, remap, ids))
  })
}
