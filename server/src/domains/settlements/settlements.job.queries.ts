import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** Marks the acts of accounts to be compared again. */
export async function markAccountsUnchecked(trx: Db, accounts: readonly number[]): Promise<void> {
  await sql`update settlement_acts set checked_at = null where courier_account_id = any(${accounts}::bigint[])`.execute(
    trx,
  )
}

/**
 * Marks the acts to be compared again whose parcels have come or changed since: those of the last two months, and those
 * with open differences. A change that was not committed at the last comparison has an earlier time, ten minutes at most.
 */
export async function markChangedActsUnchecked(db: Db): Promise<void> {
  await sql`
    update settlement_acts a set checked_at = null
    from courier_accounts c
    where c.id = a.courier_account_id and a.checked_at is not null
      and (a.act_date >= current_date - 62 or exists (
        select from settlement_lines l join settlement_differences d on d.line_id = l.id
        where l.act_id = a.id and d.status = 'open'))
      and exists (
        select from settlement_lines l where l.act_id = a.id and l.removed_at is null and case
          when l.parcel_id is null
            then exists (select from parcels p where p.owner_id = c.user_id and p.orderno = l.orderno)
          else exists (select from parcels p
            where p.id = l.parcel_id and p.updated_at > a.checked_at - interval '10 minutes') end)`.execute(
    db,
  )
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
