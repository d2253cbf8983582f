import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** The ids of the active accounts of active people. */
export const activeCourierAccounts = sql<{ id: number }>`
  select a.id from courier_accounts a join users u on u.id = a.user_id where a.is_active and u.is_active`

export const findActiveCourierAccounts = async (db: Db): Promise<number[]> =>
  (await activeCourierAccounts.execute(db)).rows.map(({ id }) => id)

export const readCourierAccount = (db: Db, id: number) =>
  db.selectFrom('courier_accounts').selectAll().where('id', '=', id).executeTakeFirst()

/** The first of the requested days whose orders are not fetched yet; null without one. */
export async function readRequestedDay(db: Db, accountId: number): Promise<string | null> {
  const state = await db
    .selectFrom('sync_states')
    .select('orders_from')
    .where('courier_account_id', '=', accountId)
    .executeTakeFirst()
  return state?.orders_from ?? null
}

/** Removes `day` from the requested days. Changes nothing if a person has requested other days since it was read. */
export async function removeRequestedDay(db: Db, accountId: number, day: string): Promise<void> {
  await sql`
    update sync_states set orders_from = case when orders_from < orders_to then orders_from + 1 end,
      orders_to = case when orders_from < orders_to then orders_to end
    where courier_account_id = ${accountId} and orders_from = ${day}::date`.execute(db)
}

/** Reserves the time of the next request, `interval` milliseconds after the last one. Answers the wait in milliseconds. */
export async function reserveCourierSlot(db: Db, interval: number): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    update courier_rate_limit
    set next_at = greatest(next_at, clock_timestamp()) + make_interval(secs => ${interval / 1000})
    returning (extract(epoch from next_at - clock_timestamp()) * 1000)::float8 - ${interval} as wait`.execute(
    db,
  )
  return rows[0]?.wait ?? 0
}
