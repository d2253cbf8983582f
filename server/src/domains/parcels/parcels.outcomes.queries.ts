import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { ParcelEventInput } from './parcels.types.ts'

/** SQL: the parcel `p` has its final status. */
export const isFinishedSql = sql.raw(`p.status_code in ('DELIVERED', 'RETURNED')`)

/**
 * SQL: the lead `l` of the stream `s` belongs to the parcel `p`. Its external id is the order number, and the stream has the owner of
 * the parcel, or this owner has earned the lead before the stream got another one. A parcel or a stream without an owner matches any.
 */
export const matchesLeadSql = sql.raw(
  `l.external_id = p.orderno and (p.owner_id is null or s.user_id is null or s.user_id = p.owner_id
    or exists (select from ledger_entries e where e.cause_type = 'lead' and e.cause_id = l.id and e.account_kind = 'person'
      and e.ref_id = p.owner_id))`,
)

/** The final status of a lead's parcel. `id` is the lead, `at` the time of the parcel's event. */
export interface ParcelOutcome {
  id: number
  code: 'DELIVERED' | 'RETURNED'
  at: string
}

/** Finds the leads of the parcels that are finished. */
export async function findOutcomes(
  trx: Db,
  parcels: readonly Pick<ParcelEventInput, 'orderno' | 'owner_id'>[],
): Promise<ParcelOutcome[]> {
  const { rows } = await sql<ParcelOutcome>`
    select l.id, p.status_code as code, p.eventtime as at
    from (select distinct orderno, owner_id from unnest(${parcels.map((parcel) => parcel.orderno)}::text[],
      ${parcels.map((parcel) => parcel.owner_id)}::bigint[]) as f (orderno, owner_id)) f
    join parcels p on p.orderno = f.orderno and p.owner_id is not distinct from f.owner_id and ${isFinishedSql}
    join leads l on l.external_id = p.orderno
    left join streams s on s.id = l.stream_id
    where ${matchesLeadSql}`.execute(trx)
  return rows
}
