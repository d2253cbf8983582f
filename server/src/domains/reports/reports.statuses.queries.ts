import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { WorkDelay } from '../../platform/jobs/jobs.ts'

export const statusesWorkDelay: WorkDelay = sql`
  select case when statuses_counted_to is not null then 0 end from installation`

/** The id up to which the leads are in the totals of statuses; null: all leads are. */
export async function readCountedTo(db: Db): Promise<number | null> {
  const installation = await db
    .selectFrom('installation')
    .select('statuses_counted_to')
    .executeTakeFirstOrThrow()
  return installation.statuses_counted_to
}

/** Writes the deltas of the leads with ids above `after` up to `last`, which no trigger has counted yet. */
export async function countStatuses(trx: Db, after: number, last: number): Promise<void> {
  await sql`insert into status_deltas (day, source_id, status_id, leads, payouts)
    select day, source_id, coalesce(status_id, 0), count(*), sum(payout)
    from leads where id > ${after} and id <= ${last} group by 1, 2, 3`.execute(trx)
}

export async function saveCountedTo(trx: Db, id: number | null): Promise<void> {
  await trx.updateTable('installation').set({ statuses_counted_to: id }).execute()
}
