import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/**
 * SQL: the status that a source status is mapped to, as `status_id` and the `code` of its report column. No row if
 * it is unmapped. `source_name` takes precedence over `source_name2`, then the older mapping over the newer.
 */
export const buildMappedStatus = (
  sourceId: number,
  sourceStatus: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select ss.status_id, st.code
  from source_statuses ss
  join statuses s on s.id = ss.status_id
  join status_types st on st.id = s.type_id
  where ss.source_id = ${sourceId} and lower(${sourceStatus}) in (lower(ss.source_name), lower(ss.source_name2))
  order by lower(ss.source_name) = lower(${sourceStatus}) desc, ss.id
  limit 1`

/** SQL: the default status of a report column: the oldest active status of its type. No row if there is none. */
export const buildDefaultStatus = (column: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select s.id from statuses s join status_types st on st.id = s.type_id
  where st.code = ${column} and s.is_active order by s.id limit 1`

/** Whether a status is active; undefined if there is none. */
export async function isActiveStatus(trx: Db, id: number): Promise<boolean | undefined> {
  const { rows } = await sql<{ is_active: boolean }>`select is_active from statuses where id = ${id}`.execute(
    trx,
  )
  return rows[0]?.is_active
}

interface NewMapping {
  /** The code of a report column. */
  code: string
  name: string
  affise: string | null
}

/** Maps source statuses to the default statuses of their columns. Skips existing mappings and columns without a status. */
export async function insertMappings(trx: Db, sourceId: number, rows: readonly NewMapping[]): Promise<void> {
  await sql`
    insert into source_statuses (name, source_name, source_name2, status_id, source_id, is_default)
    select d.name, d.name, d.affise, s.id, ${sourceId}, true
    from unnest(${rows.map(({ code }) => code)}::text[], ${rows.map(({ name }) => name)}::text[],
      ${rows.map(({ affise }) => affise)}::text[]) with ordinality as d (code, name, affise, position)
    cross join lateral (${buildDefaultStatus(sql`d.code`)}) s
    order by d.position
    on conflict do nothing`.execute(trx)
}
