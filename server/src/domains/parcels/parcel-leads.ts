import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { readLeadStates } from '../leads/lead-states.ts'
import { restate } from '../leads/leads.restate.ts'
import { leadTransaction } from '../leads/leads.transaction.ts'
import type { ParcelsTaken, ParcelTold } from './parcels.parcel.ts'
import { takeInParcels } from './parcels.sink.ts'

type Options = Parameters<typeof takeInParcels>[2]

/**
 * Takes parcels in and lets their outcome reach the leads that are there, in one transaction: a delivered parcel's
 * lead is sold, a returned one's returned. Leads that come later are `parcel-leads.late.ts`'s.
 */
export function takeParcels(db: Db, batch: readonly ParcelTold[], options?: Options): Promise<ParcelsTaken> {
  return leadTransaction(db, async (trx) => {
    // Held to the end, so that who looks for late leads knows that this outcome is on its way.
    await readLeadStates(trx)
    const taken = await takeInParcels(trx, batch, options)
    await settleLeads(trx, batch)
    return taken
  })
}

/** The parcel `p` is at its end. */
export const isOver = sql.raw(`p.status_code in ('DELIVERED', 'RETURNED')`)

/** The lead `l` of the stream `s` is the parcel's: its external id is the order number, its stream is nobody's else. */
export const isOf = sql.raw(
  `l.external_id = p.orderno and (p.owner_id is null or s.user_id is null or s.user_id = p.owner_id)`,
)

/** What a parcel says of a lead, and when it said so. */
export interface Outcome {
  id: number
  code: 'DELIVERED' | 'RETURNED'
  at: string
}

async function settleLeads(trx: Db, batch: readonly ParcelTold[]): Promise<void> {
  const final = batch.filter(({ state: { code } }) => code === 'DELIVERED' || code === 'RETURNED')
  if (final.length === 0) return
  const { rows } = await sql<Outcome>`
    select l.id, p.status_code as code, p.eventtime as at
    from (select distinct orderno, owner_id from unnest(${final.map((each) => each.orderno)}::text[],
      ${final.map((each) => each.owner_id)}::bigint[]) as f (orderno, owner_id)) f
    join parcels p on p.orderno = f.orderno and p.owner_id is not distinct from f.owner_id and ${isOver}
    join leads l on l.external_id = p.orderno
    left join streams s on s.id = l.stream_id
    where ${isOf}`.execute(trx)
  await settle(trx, rows)
}

const ends = [
  { code: 'DELIVERED', column: 'sold', reason: 'The parcel was delivered' },
  { code: 'RETURNED', column: 'returned', reason: 'The parcel was returned' },
] as const

/** Brings leads where their parcels are, with the reason in their history; answers how many moved. */
export async function settle(trx: Db, outcomes: readonly Outcome[]): Promise<number> {
  let moved = 0
  for (const { code, column, reason } of ends) {
    const told = outcomes.flatMap(({ id, code: its, at }) => (its === code ? [{ id, column, at }] : []))
    moved += (await restate(trx, told, { origin: 'parcel', reason })).length
  }
  return moved
}
