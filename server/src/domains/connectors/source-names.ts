import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** First key of the advisory locks; the second is the source. */
const NAMES_LOCK = 0x4c454144

/**
 * Offers and streams of a source are made under this lock, held to the end of the transaction, so that two who
 * meet the same one at the same moment make it once. Look again once it is held.
 */
export async function lockSourceNames(trx: Db, sourceId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${NAMES_LOCK}::int, ${sourceId}::int)`.execute(trx)
}
