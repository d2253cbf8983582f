import type pg from 'pg'
import { quoteIdentifier } from './backup.tables.ts'

/** Statements that drop an index or a constraint, and that create it again. */
interface Definition {
  dropped: string
  created: string
}

/**
 * Foreign keys first: they need the keys that they refer to. Those of a partition that belong to its table go with the table's.
 * `only` would create an index of a table with partitions without theirs.
 */
const definitionsSql = `
  select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as dropped,
    format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as created,
    case when c.contype = 'f' then 1 else 2 end as rank
  from pg_constraint c join pg_class t on t.oid = c.conrelid
  where c.contype in ('f', 'p', 'u') and c.conparentid = 0 and t.relkind in ('r', 'p') and t.relnamespace = current_schema()::regnamespace
  union all
  select format('drop index %s', i.indexrelid::regclass), replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON '), 3
  from pg_index i join pg_class t on t.oid = i.indrelid
  where t.relkind in ('r', 'p') and t.relnamespace = current_schema()::regnamespace
    and not exists (select from pg_inherits where inhrelid = i.indexrelid)
    and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x'))
  order by rank, dropped`

/**
 * Drops all indexes and keys of the schema, runs `work`, and creates them again, in the transaction of the client: rows are
 * copied faster into tables without indexes. The statistics of the planner are collected last.
 */
export async function withoutIndexes(
  client: pg.ClientBase,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows: definitions } = await client.query<Definition>(definitionsSql)
  for (const { dropped: dropStatement } of definitions) await client.query(dropStatement)
  await work()
  await client.query(`set local maintenance_work_mem = '256MB'`)
  await client.query('set local max_parallel_maintenance_workers = 2')
  await client.query('set local max_parallel_workers_per_gather = 2')
  for (const { created: createStatement } of definitions.toReversed()) await client.query(createStatement)
  for (const table of tables) await client.query(`analyze ${quoteIdentifier(table)}`)
}
