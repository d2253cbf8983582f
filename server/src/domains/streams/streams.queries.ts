import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** Returns true if the offer of a stream is of another source. Locks the offer, so that its source does not change. */
export async function hasOfferOfOtherSource(trx: Db, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from streams s join offers o on o.id = s.offer_id
    where s.id = ${id} and o.source_id <> s.source_id for share of o`.execute(trx)
  return rows.length > 0
}
