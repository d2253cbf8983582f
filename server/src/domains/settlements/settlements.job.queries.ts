import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** Marks the acts of accounts to be compared again. */
export async function markAccountsUnchecked(trx: Db, accounts: readonly number[]): Promise<void> {
  await sql`update settlement_acts set checked_at = null where courier_account_id = any(${accounts}::bigint[])`.execute(
    trx,
  )
}

/** Marks the acts with open differences of lines whose parcels have come or changed since they were compared. */
export async function markChangedActsUnchecked(db: Db): Promise<void> {
  await sql`
    update settlement_acts set checked_at = null
    where id in (
      select a.id from settlement_differences d
      join settlement_lines l on l.id = d.line_id
      join settlement_acts a on a.id = l.act_id
      join courier_accounts c on c.id = a.courier_account_id
      join parcels p on p.owner_id = c.user_id and p.orderno = l.orderno
      where d.status = 'open' and a.checked_at is not null
        and (l.parcel_id is distinct from p.id or p.updated_at > a.checked_at))`.execute(db)
}

/** An act whose lines must be compared again; undefined if there is none. */
export const findUncheckedAct = (db: Db) =>
  db
    .selectFrom('settlement_acts')
    .select(['id', 'courier_account_id'])
    .where('checked_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
