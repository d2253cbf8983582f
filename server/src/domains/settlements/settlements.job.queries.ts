import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { findReportedParcel } from '../parcels/parcels.accounts.queries.ts'

const reportedParcel = findReportedParcel({
  account: sql.ref('c.id'),
  owner: sql.ref('c.user_id'),
  orderno: sql.ref('l.orderno'),
})

/** Marks the acts of accounts to be compared again. */
export async function markAccountsUnchecked(trx: Db, accounts: readonly number[]): Promise<void> {
  await sql`update settlement_acts set checked_at = null where courier_account_id = any(${accounts}::bigint[])`.execute(
    trx,
  )
}

/**
 * The next acts to compare again, by id after `after`: those that are marked, and those whose parcels have come or changed since
 * the last comparison, if they are of the last two months or have open differences. A change that was not committed at the last
 * comparison has an earlier time, ten minutes at most. The acts of a change are not marked, because each mark notifies the job of
 * another run.
 */
export async function findActsToCompare(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; courier_account_id: number; is_voided: boolean }[]> {
  const { rows } = await sql<{ id: number; courier_account_id: number; is_voided: boolean }>`
    select a.id, a.courier_account_id, a.voided_at is not null as is_voided from settlement_acts a join courier_accounts c on c.id = a.courier_account_id
    where a.id > ${after} and (a.checked_at is null
      or ((a.act_date >= current_date - 62 or exists (
        select from settlement_lines l join settlement_differences d on d.line_id = l.id
        where l.act_id = a.id and d.status = 'open'))
      and exists (
        select from settlement_lines l where l.act_id = a.id and l.removed_at is null and case
          when l.parcel_id is null then ${reportedParcel} is not null
          else exists (select from parcels p
            where p.id = l.parcel_id and p.updated_at > a.checked_at - interval '10 minutes') end)))
    order by a.id limit ${limit}`.execute(db)
  return rows
}

/** The next settled parcels, by id after `after`. */
export async function findSettledParcels(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from parcels where id > ${after} and settled_at is not null order by id limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
