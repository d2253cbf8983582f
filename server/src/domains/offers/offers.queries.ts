import { sql } from 'kysely'
import { lockKeys } from '../../platform/database/lock-keys.ts'
import type { Db } from '../../platform/database/pool.ts'

/** Changes of master offers wait for each other, so that two of them do not form a loop. */
export async function lockMasterOffers(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKeys.masterOffers}::bigint)`.execute(trx)
}

/** Returns true if the offer is the given master offer, or a master offer of it. */
export async function isMasterOffer(trx: Db, offer: { id: number; masterId: number }): Promise<boolean> {
  const { rows } = await sql<{ is_master: boolean }>`
    with recursive masters as (
      select ${offer.masterId}::bigint as id
      union
      select o.master_offer_id from offers o join masters m on o.id = m.id where o.master_offer_id is not null
    )
    select exists (select from masters where id = ${offer.id}) as is_master`.execute(trx)
  return rows[0]?.is_master === true
}
