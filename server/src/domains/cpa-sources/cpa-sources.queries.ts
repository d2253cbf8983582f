import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** Deletes the unchanged default mappings of a source. */
export async function deleteUnchangedMappings(trx: Db, sourceId: number): Promise<void> {
  await sql`delete from source_statuses w using cpa_sources s
    where s.id = ${sourceId} and w.source_id = s.id and w.created_at = s.created_at
      and w.updated_at = w.created_at`.execute(trx)
}

/** Gives a source a new postback key; false if there is no such source. */
export async function renewPostbackKey(trx: Db, sourceId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update cpa_sources
    set postback_key = replace(gen_random_uuid()::text, '-', '') where id = ${sourceId}`.execute(trx)
  return numAffectedRows === 1n
}
