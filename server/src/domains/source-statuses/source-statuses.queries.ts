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
