import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** Moves the next batch of the leads of a status to the report column of its type. */
export async function recountNextBatch(trx: Db, statusId: number): Promise<void> {
  await sql`select recount_status(${statusId})`.execute(trx)
}
