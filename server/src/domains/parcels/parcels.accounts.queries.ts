import { sql, type RawBuilder } from 'kysely'
import { lockGroups } from '../../platform/database/lock-keys.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { ParcelEventInput } from './parcels.types.ts'

/** Values of a statement, or SQL of its columns. */
interface ReportedOrder {
  account: number | RawBuilder<unknown>
  /** The present user of the account. */
  owner: number | RawBuilder<unknown>
  orderno: RawBuilder<unknown>
}

/**
 * SQL: the id of the parcel of an order that a courier account names. The parcel that the account has reported comes before the one
 * of its present user: an order stays with the person who had the account when the account first reported it.
 */
export const findReportedParcel = ({ account, owner, orderno }: ReportedOrder) => sql`coalesce(
  (select r.id from parcels r where r.courier_account_id = ${account} and r.orderno = ${orderno}),
  (select o.id from parcels o where o.owner_id = ${owner} and o.orderno = ${orderno}))`

/**
 * Locks the parcels of a courier account against other writers of the account until the end of the transaction: events of its courier and
 * its settlement acts. They lock the account and its parcels in opposite order, and two of them could insert one order at the same time.
 */
export async function lockAccountParcels(trx: Db, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockGroups.courierAccounts}::integer, hashint8(${accountId}))`.execute(
    trx,
  )
}

/**
 * Gives the events of orders that a courier account has reported before the owners of their parcels, and locks the account against a
 * deletion. Other events keep their owner. Answers undefined if the account was deleted.
 */
export async function assignStoredOwners(
  trx: Db,
  accountId: number,
  events: readonly ParcelEventInput[],
): Promise<ParcelEventInput[] | undefined> {
  if (events.length === 0) return []
  const orders = [...new Set(events.map(({ orderno }) => orderno))]
  const { rows } = await sql<{ orderno: string | null; owner_id: number | null }>`
    with account as materialized (select id from courier_accounts where id = ${accountId} for key share)
    select p.orderno, p.owner_id from account
    left join parcels p on p.courier_account_id = ${accountId} and p.orderno = any(${orders}::text[])`.execute(
    trx,
  )
  if (rows.length === 0) return undefined
  const owners = new Map(rows.map(({ orderno, owner_id }) => [orderno, owner_id]))
  return events.map((event) => ({ ...event, owner_id: owners.get(event.orderno) ?? event.owner_id }))
}
