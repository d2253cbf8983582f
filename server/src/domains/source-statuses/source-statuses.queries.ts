import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** The columns of source_statuses that define a mapping. */
export const mappingColumns = ['source_id', 'source_name', 'source_name2', 'status_id'] as const

/** The source statuses that one row maps. */
export interface StatusMapping {
  source_id: number
  source_name: string
  source_name2: string | null
}

/** Reads the columns of a row that define its mapping. */
export const readMapping = (trx: Db, id: number) =>
  trx.selectFrom('source_statuses').select(mappingColumns).where('id', '=', id).executeTakeFirstOrThrow()

/**
 * Removes the source statuses of an admin's mapping from the default mappings of its source, except from the row `id`. A
 * default mapping that has another source status left keeps that one.
 */
export async function removeFromDefaults(trx: Db, mapping: StatusMapping, id: number | null): Promise<void> {
  const sourceStatuses = [mapping.source_name, mapping.source_name2 ?? mapping.source_name]
  const isMapped = (column: string) =>
    sql`lower(${sql.ref(column)}) in (select lower(name) from unnest(${sourceStatuses}::text[]) name)`
  const isDefault = sql`m.is_default and m.source_id = ${mapping.source_id} and m.id is distinct from ${id}`
  await sql`
    delete from source_statuses m where ${isDefault} and ${isMapped('m.source_name')}
      and (m.source_name2 is null or ${isMapped('m.source_name2')} or exists (
        select 1 from source_statuses o where o.source_id = m.source_id and lower(o.source_name) = lower(m.source_name2)))`.execute(
    trx,
  )
  await sql`
    update source_statuses m set source_name2 = null,
      source_name = case when ${isMapped('m.source_name')} then m.source_name2 else m.source_name end
    where ${isDefault} and (${isMapped('m.source_name')} or ${isMapped('m.source_name2')})`.execute(trx)
}

/** Queues source statuses whose mapping changed. After the commit their leads get the new status. */
export async function queueRemaps(trx: Db, mappings: readonly StatusMapping[]): Promise<void> {
  const statuses = mappings.flatMap(({ source_id, source_name, source_name2 }) =>
    [source_name, source_name2].flatMap((status) => (status === null ? [] : [{ source_id, status }])),
  )
  // A running remap of the same source status sees by the new id that the mapping changed again.
  await sql`
    insert into lead_remaps (source_id, source_status)
    select distinct source_id, lower(source_status)
    from unnest(${statuses.map((sourceStatus) => sourceStatus.source_id)}::bigint[], ${statuses.map((sourceStatus) => sourceStatus.status)}::text[])
      as s (source_id, source_status)
    order by 1, 2
    on conflict (source_id, source_status) do update set id = default`.execute(trx)
}
