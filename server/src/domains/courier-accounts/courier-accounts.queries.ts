import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** The ids of the active accounts of active people. */
export const activeCourierAccounts = sql<{ id: number }>`
  select a.id from courier_accounts a join users u on u.id = a.user_id where a.is_active and u.is_active`

export const findActiveCourierAccounts = async (db: Db): Promise<number[]> =>
  (await activeCourierAccounts.execute(db)).rows.map(({ id }) => id)

export const readCourierAccount = (db: Db, id: number) =>
  db.selectFrom('courier_accounts').selectAll().where('id', '=', id).executeTakeFirst()

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
