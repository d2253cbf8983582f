import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { invalid } from '../../platform/http/errors.ts'

/**
 * Sets the sources that a role may see. Answers the ids before and after; undefined without a change. Unchanged rows keep
 * their ids. Errors: 422 for an unknown source.
 */
export async function setSources(trx: Db, roleId: number, requestedIds: readonly number[]) {
  const ids = [...new Set(requestedIds)]
  const knownSources = await trx
    .selectFrom('cpa_sources')
    .select('id')
    .where('id', 'in', [0, ...ids])
    .execute()
  const missingId = ids.find((id) => !knownSources.some((source) => source.id === id))
  if (missingId !== undefined) throw invalid([fieldError('source_ids', 'source_missing', { id: missingId })])
  const rows = await trx
    .selectFrom('role_source_access')
    .select('source_id')
    .where('role_id', '=', roleId)
    .execute()
  const before = rows.map((row) => row.source_id).toSorted((a, b) => a - b)
  const after = ids.toSorted((a, b) => a - b)
  if (before.join() === after.join()) return undefined
  await sql`delete from role_source_access where role_id = ${roleId} and source_id <> all(${after}::bigint[])`.execute(
    trx,
  )
  await sql`insert into role_source_access (role_id, source_id) select ${roleId}, unnest(${after}::bigint[])
    on conflict (role_id, source_id) do nothing`.execute(trx)
  return { oldValues: { source_ids: before }, newValues: { source_ids: after } }
}
