import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { lockStatusesShared } from '../leads/leads.status-lock.ts'
import { overrideLeadStatus } from '../leads/leads.override.ts'
import { inLeadTransaction } from '../leads/leads.transaction.ts'
import type { ParcelIngestResult, ParcelEventInput } from './parcels.types.ts'
import { storeParcels, type StoreOptions } from './parcels.store.ts'

/**
 * Stores parcels and applies their outcomes to known leads, in one transaction: the lead of a delivered parcel becomes
 * sold, the lead of a returned parcel becomes returned. `parcels.late-leads.ts` handles the leads that arrive later.
 */
export function ingestParcels(
  db: Db,
  batch: readonly ParcelEventInput[],
  options?: StoreOptions,
): Promise<ParcelIngestResult> {
  return inLeadTransaction(db, async (trx) => {
    // The lock lasts until the commit. The job for late leads sees by it that an outcome is about to be stored.
    await lockStatusesShared(trx)
    const result = await storeParcels(trx, batch, options)
    await applyOutcomesToLeads(trx, batch)
    return result
  })
}

/** SQL: the parcel `p` has its final status. */
export const isFinishedSql = sql.raw(`p.status_code in ('DELIVERED', 'RETURNED')`)

/**
 * SQL: the lead `l` of the stream `s` belongs to the parcel `p`. Its external id is the order number, and the stream
 * has the owner of the parcel. A parcel or a stream without an owner matches any owner.
 */
export const matchesLeadSql = sql.raw(
  `l.external_id = p.orderno and (p.owner_id is null or s.user_id is null or s.user_id = p.owner_id)`,
)

/** The final status of a lead's parcel. `id` is the lead, `at` the time of the parcel's event. */
export interface ParcelOutcome {
  id: number
  code: 'DELIVERED' | 'RETURNED'
  at: string
}

async function applyOutcomesToLeads(trx: Db, batch: readonly ParcelEventInput[]): Promise<void> {
  const final = batch.filter(({ state: { code } }) => code === 'DELIVERED' || code === 'RETURNED')
  if (final.length === 0) return
  const { rows } = await sql<ParcelOutcome>`
    select l.id, p.status_code as code, p.eventtime as at
    from (select distinct orderno, owner_id from unnest(${final.map((each) => each.orderno)}::text[],
      ${final.map((each) => each.owner_id)}::bigint[]) as f (orderno, owner_id)) f
    join parcels p on p.orderno = f.orderno and p.owner_id is not distinct from f.owner_id and ${isFinishedSql}
    join leads l on l.external_id = p.orderno
    left join streams s on s.id = l.stream_id
    where ${matchesLeadSql}`.execute(trx)
  await applyOutcomes(trx, rows)
}

const leadOutcomes = [
  { code: 'DELIVERED', column: 'sold', reason: 'The parcel was delivered' },
  { code: 'RETURNED', column: 'returned', reason: 'The parcel was returned' },
] as const

/** Overrides the status of each lead by the outcome of its parcel; answers how many leads changed. */
export async function applyOutcomes(trx: Db, outcomes: readonly ParcelOutcome[]): Promise<number> {
  let changed = 0
  for (const { code, column, reason } of leadOutcomes) {
    const overrides = outcomes.flatMap((outcome) =>
      outcome.code === code ? [{ id: outcome.id, column, at: outcome.at }] : [],
    )
    changed += (await overrideLeadStatus(trx, overrides, { origin: 'parcel', reason })).length
  }
  return changed
}
