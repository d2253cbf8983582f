import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** The id of a status whose leads are being moved; null if there is none. */
export async function findStatusRecount(db: Db): Promise<number | null> {
  const found = await db.selectFrom('status_recounts').select('status_id').limit(1).executeTakeFirst()
  return found?.status_id ?? null
}

/** Moves the next batch of the leads of a status to the report column of its type. */
export async function recountStatus(trx: Db, statusId: number): Promise<void> {
  await sql`select recount_status(${statusId})`.execute(trx)
}
