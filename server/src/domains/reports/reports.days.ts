import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'

/** Leads in one transaction. An ingest waits while one batch runs. */
const batchSize = 5000

/**
 * Recalculates the day of leads with ids above `after`, in the time zone of the session. Returns the last id of the
 * batch, or null after the last lead. Triggers update the figures.
 */
async function recountDays(db: Db, after: number): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    // Exclusive, because the ingest locks rows in another order.
    await sql`select lead_states_change()`.execute(trx)
    const { rows } = await sql<{ last: number | null }>`
      select max(id) as last from (select id from leads where id > ${after} order by id limit ${batchSize}) l`.execute(
      trx,
    )
    const last = rows[0]?.last ?? null
    if (last !== null) {
      await sql`update leads set day = created_at::date
        where id > ${after} and id <= ${last} and day <> created_at::date`.execute(trx)
    }
    return last
  })
}

/** Recalculates the day of all leads after a change of the time zone. Safe to repeat. */
export async function applyTimeZone(db: Db, zone: string, signal?: AbortSignal): Promise<void> {
  const installation = await db.selectFrom('installation').select('time_zone').executeTakeFirstOrThrow()
  if (installation.time_zone === zone) return
  for (let last: number | null = 0; last !== null; last = await recountDays(db, last)) {
    signal?.throwIfAborted()
  }
  await db.updateTable('installation').set({ time_zone: zone }).execute()
}

/** New leads have their day in the new time zone. This job recalculates the older leads. */
export const recountDaysJob = ({ db, config }: Deps): Job => ({
  name: 'recount-days',
  interval: 60_000,
  timeout: 6 * 3_600_000,
  isExclusive: true,
  run: (signal) => applyTimeZone(db, config.timeZone, signal),
})
