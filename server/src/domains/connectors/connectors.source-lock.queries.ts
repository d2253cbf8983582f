import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** First key of the advisory lock. The second key is the source. */
const sourceNamesLockKey = 0x4c454144

/**
 * Locks the creation of offers and streams of a source until the end of the transaction, so that two transactions do not
 * create the same row twice. Look for existing rows after this call.
 */
export async function lockSourceNames(trx: Db, sourceId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sourceNamesLockKey}::int, ${sourceId}::int)`.execute(trx)
}
