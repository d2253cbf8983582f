import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { leadTransaction } from '../leads/leads.transaction.ts'
import { restate } from '../leads/leads.restate.ts'
import type { ParcelsTaken, ParcelTold } from '../parcels/parcels.parcel.ts'
import { takeInParcels } from '../parcels/parcels.sink.ts'

type Options = Parameters<typeof takeInParcels>[2]

/**
 * Takes parcels in and lets their outcome reach their leads, in one transaction: a delivered parcel's lead is
 * sold, a returned one's returned. A lead is the parcel's when its external id is the order number, and its
 * stream is nobody's else.
 */
export function takeParcels(db: Db, batch: readonly ParcelTold[], options?: Options): Promise<ParcelsTaken> {
  return leadTransaction(db, async (trx) => {
    const taken = await takeInParcels(trx, batch, options)
    await settleLeads(trx, batch)
    return taken
  })
}

const columns = { DELIVERED: 'sold', RETURNED: 'returned' } as const

async function settleLeads(trx: Db, batch: readonly ParcelTold[]): Promise<void> {
  const final = batch.filter(({ state: { code } }) => code === 'DELIVERED' || code === 'RETURNED')
  if (final.length === 0) return
  const { rows } = await sql<{ id: number; code: keyof typeof columns; at: string; title: string }>`
    select l.id, p.status_code as code, p.eventtime as at, p.status_title as title
    from (select distinct orderno, owner_id from unnest(${final.map((each) => each.orderno)}::text[],
      ${final.map((each) => each.owner_id)}::bigint[]) as f (orderno, owner_id)) f
    join parcels p on p.orderno = f.orderno and p.owner_id is not distinct from f.owner_id
      and p.status_code in ('DELIVERED', 'RETURNED')
    join leads l on l.external_id = p.orderno
    left join streams s on s.id = l.stream_id
    where p.owner_id is null or s.user_id is null or s.user_id = p.owner_id`.execute(trx)
  for (const [code, column] of Object.entries(columns)) {
    const told = rows.flatMap((row) => (row.code === code ? [{ id: row.id, column, at: row.at }] : []))
    await restate(trx, told, { origin: 'parcel', reason: titleOf[column] })
  }
}

const titleOf = { sold: 'The parcel was delivered', returned: 'The parcel was returned' }
