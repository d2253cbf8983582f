import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'

/** Leads whose days are counted anew at once; whoever brings leads in waits for so many. */
const batch = 5000

/**
 * Counts the days of the leads after the id `after` anew, in the zone of the session, and answers the last id
 * that it looked at; null after the last lead. The triggers move the figures along.
 */
async function recountDays(db: Db, after: number): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    // Alone among the writers of leads, whose order of locks is another.
    await sql`select lead_states_change()`.execute(trx)
    const { rows } = await sql<{ last: number | null }>`
      select max(id) as last from (select id from leads where id > ${after} order by id limit ${batch}) l`.execute(
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

/** Counts all leads' days in the installation's zone, unless that is done. Harmless to begin again. */
export async function followZone(db: Db, zone: string, signal?: AbortSignal): Promise<void> {
  const kept = await db.selectFrom('installation').select('time_zone').executeTakeFirstOrThrow()
  if (kept.time_zone === zone) return
  for (let last: number | null = 0; last !== null; last = await recountDays(db, last)) {
    signal?.throwIfAborted()
  }
  await db.updateTable('installation').set({ time_zone: zone }).execute()
}

/** A lead that comes in has its day in the new zone from the start; those before it follow here. */
export const daysJob = ({ db, config }: Deps): Job => ({
  name: 'recount-days',
  every: 60_000,
  timeout: 6 * 3_600_000,
  alone: true,
  run: (signal) => followZone(db, config.timeZone, signal),
})
