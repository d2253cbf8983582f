import { sql, type RawBuilder } from 'kysely'

/**
 * What the mapping of a source makes of a word: its `status_id` and the `code` of its report column; no row
 * where nothing maps it. A first name counts before a second one, then the older of two.
 */
export const meaningOf = (sourceId: number, word: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ss.status_id, st.code
  from source_statuses ss
  join statuses s on s.id = ss.status_id
  join status_types st on st.id = s.type_id
  where ss.source_id = ${sourceId} and lower(${word}) in (lower(ss.source_name), lower(ss.source_name2))
  order by lower(ss.source_name) = lower(${word}) desc, ss.id
  limit 1`

/** The status that stands for a report column: the oldest active one of its type; no row where there is none. */
export const statusOf = (column: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select s.id from statuses s join status_types st on st.id = s.type_id
  where st.code = ${column} and s.is_active order by s.id limit 1`
