import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import { joinTransaction } from '../../platform/database/transaction.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { postLeads } from '../ledger/ledger.leads.queries.ts'
import { lockStatusesShared } from '../leads/leads.status-lock.queries.ts'
import { waitForWriters } from '../leads/leads.writers.ts'
import { applyOutcomes } from './parcels.ingest.ts'
import {
  findLateOutcomes,
  hasFinishedParcels,
  lateLeadsWorkDelay,
  lockFinishedParcels,
  readCheckedId,
  readNewestLeadId,
  storeCheckedId,
  type LeadIds,
} from './parcels.late-leads.queries.ts'

/** Number of lead ids in one transaction. */
const batchSize = 5000

/** The job that applies outcomes of parcels to leads that arrived later. */
export const lateLeadsJob = (deps: Deps): Job => ({
  name: 'late-leads',
  interval: 3000,
  timeout: 600_000,
  isExclusive: true,
  wakeDelay: 3000,
  workDelay: lateLeadsWorkDelay,
  run: async (signal) => {
    if ((await applyOutcomesToLateLeads(deps.db, signal)) > 0) deps.jobTrigger.emit('outgoing-postbacks')
  },
})

/**
 * Checks every new lead once: if its parcel already has a final status, that outcome is applied to the lead. So the
 * ingest of leads does not have to check. Answers how many leads changed. An interrupted call continues later. It begins again with
 * the first lead after `checkAllLeadsForStatus`.
 *
 * A lead and an outcome that are written at the same time do not see each other. So this function waits twice. First it
 * waits for all transactions that were active when it read the newest id: after that, all leads up to this id are
 * visible. Then it waits for all transactions that are active at that time: after that, every outcome that did not see
 * one of these leads is visible. Writers hold an advisory lock, by which they are found. Only jobs wait.
 */
export async function applyOutcomesToLateLeads(db: Db, signal: AbortSignal): Promise<number> {
  let changedCount = 0
  let checkedId = await readCheckedId(db)
  const newest = await readNewestLeadId(db)
  if (newest <= checkedId) return changedCount
  for (let round = 1; round <= 2; round++) await waitForWriters(db, signal)
  while (checkedId < newest && !signal.aborted) {
    const to = (await hasFinishedParcels(db)) ? Math.min(checkedId + batchSize, newest) : newest
    changedCount += await checkBatch(db, checkedId, to)
    checkedId = await readCheckedId(db)
  }
  return changedCount
}

function checkBatch(db: Db, from: number, to: number): Promise<number> {
  return joinTransaction(db, async (trx) => {
    const changedCount = await applyStoredOutcomes(trx, { from, to })
    await storeCheckedId(trx, { from, to })
    return changedCount
  })
}

/**
 * Applies the outcomes that parcels have already to leads: to those that arrive later, and to those whose stream gets another
 * owner, because a parcel of this owner did not match before. Answers how many leads changed. Call it first in a transaction.
 */
export async function applyStoredOutcomes(trx: Db, leadIds: LeadIds): Promise<number> {
  await lockStatusesShared(trx)
  const pairs = await lockFinishedParcels(trx, leadIds)
  if (pairs.length === 0) return 0
  const changedCount = await applyOutcomes(trx, await findLateOutcomes(trx, pairs))
  const leads = pairs.map(({ lead }) => lead)
  // A lead that was inserted as sold while its parcel was delivered was posted without the delivery.
  await postLeads(trx, leads)
  return changedCount
}
