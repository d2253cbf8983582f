import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { WorkDelay } from '../../platform/jobs/jobs.ts'

/** SQL condition: leads of a status are being moved to the report column of its new type. */
export const hasStatusRecountSql = 'exists (select from status_recounts)'

export const recountsWorkDelay: WorkDelay = sql`select 0 from status_recounts limit 1`

/** The id of a status some of whose leads still count in the report column of its former type; null if there is none. */
export async function findStatusRecount(db: Db): Promise<number | null> {
  const recount = await db.selectFrom('status_recounts').select('status_id').limit(1).executeTakeFirst()
  return recount?.status_id ?? null
}
