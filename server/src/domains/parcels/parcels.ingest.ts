import type { Db } from '../../platform/database/pool.ts'
import { lockStatusesShared } from '../leads/leads.status-lock.queries.ts'
import { overrideLeadStatus } from '../leads/leads.override.queries.ts'
import { joinTransaction } from '../../platform/database/transaction.ts'
import type { IngestResult } from '../../platform/spreadsheets/spreadsheets.progress.ts'
import { assignStoredOwners, lockAccountParcels } from './parcels.accounts.queries.ts'
import type { ParcelEventInput } from './parcels.types.ts'
import { findOutcomes, type ParcelOutcome } from './parcels.outcomes.queries.ts'
import { storeParcels } from './parcels.store.ts'

/**
 * Stores parcels and applies their outcomes to known leads, in one transaction: the lead of a delivered parcel becomes
 * sold, the lead of a returned parcel becomes returned. `parcels.late-leads.ts` handles the leads that arrive later.
 * `accountId`: the courier account that reports the events. An order that it has reported before keeps its owner.
 */
export function ingestParcels(
  db: Db,
  batch: readonly ParcelEventInput[],
  accountId: number | null = null,
): Promise<IngestResult> {
  return joinTransaction(db, async (trx) => {
    if (accountId !== null) await lockAccountParcels(trx, accountId)
    // The lock lasts until the commit. The job for late leads sees by it that an outcome is about to be stored.
    await lockStatusesShared(trx)
    const reportedEvents = accountId === null ? undefined : await assignStoredOwners(trx, accountId, batch)
    const events = reportedEvents ?? batch
    const result = await storeParcels(trx, events, {
      // A deleted account has no parcels.
      accountId: reportedEvents === undefined ? null : accountId,
    })
    await applyOutcomesToLeads(trx, events)
    return result
  })
}

async function applyOutcomesToLeads(trx: Db, batch: readonly ParcelEventInput[]): Promise<void> {
  const final = batch.filter(({ state: { code } }) => code === 'DELIVERED' || code === 'RETURNED')
  if (final.length === 0) return
  await applyOutcomes(trx, await findOutcomes(trx, final))
}

const leadOutcomes = [
  { code: 'DELIVERED', column: 'sold', reason: 'The parcel was delivered' },
  { code: 'RETURNED', column: 'returned', reason: 'The parcel was returned' },
] as const

/** Overrides the status of each lead by the outcome of its parcel; answers how many leads changed. */
export async function applyOutcomes(trx: Db, outcomes: readonly ParcelOutcome[]): Promise<number> {
  let changedCount = 0
  for (const { code, column, reason } of leadOutcomes) {
    const overrides = outcomes.flatMap((outcome) =>
      outcome.code === code ? [{ id: outcome.id, column, at: outcome.at }] : [],
    )
    changedCount += (await overrideLeadStatus(trx, overrides, { origin: 'parcel', reason })).length
  }
  return changedCount
}
