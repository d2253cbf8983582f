import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { WorkDelay } from '../../platform/jobs/jobs.ts'

/** The last id of the next `limit` leads with ids above `after`; null after the last lead. */
export async function findBatchEnd(trx: Db, after: number, limit: number): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
      select max(id) as last from (select id from leads where id > ${after} order by id limit ${limit}) l`.execute(
    trx,
  )
  return rows[0]?.last ?? null
}

/** Recalculates the day of the leads with ids above `after` up to `last`. */
export async function updateDays(trx: Db, after: number, last: number): Promise<void> {
  await sql`update leads set day = created_at::date
        where id > ${after} and id <= ${last} and day <> created_at::date`.execute(trx)
}

export const daysWorkDelay = (zone: string): WorkDelay =>
  sql`select case when time_zone <> ${zone} then 0 end from installation`

/** The time zone that the days of the leads are in. */
export async function readTimeZone(db: Db): Promise<string | null> {
  const installation = await db.selectFrom('installation').select('time_zone').executeTakeFirstOrThrow()
  return installation.time_zone
}

export async function saveTimeZone(db: Db, zone: string): Promise<void> {
  await db.updateTable('installation').set({ time_zone: zone }).execute()
}
