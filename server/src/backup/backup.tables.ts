// Backups: start with backup.write.ts and backup.restore.ts. The folder copies tables and files and does not
// depend on a domain.
import type pg from 'pg'

/** A table of a backup. */
export interface BackupTable {
  name: string
  /** Without generated columns. */
  columns: string[]
}

/**
 * Tables that are not copied: they belong to one installation or one moment (schema, sessions, queued mails
 * and messages), or are built from others.
 */
const excludedTables = [
  'schema_migrations',
  'data_folder',
  'sessions',
  'sign_in_failures',
  'reset_requests',
  'reset_mails',
  'account_mails',
  'known_devices',
  'reset_links',
  'view_messages',
  'read_positions',
  'lead_spans',
]

/**
 * All other tables, each after the tables that it refers to. The rows of partitions are those of their table.
 */
export async function listTablesInOrder(client: pg.ClientBase): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable & { refers: string[] }>(
    `select c.relname::text as name,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
         where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers
     from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all($1)
     order by c.relname`,
    [excludedTables],
  )
  const orderedTables = new Map<string, BackupTable>()
  while (orderedTables.size < rows.length) {
    const next = rows.find(
      ({ name, refers }) => !orderedTables.has(name) && refers.every((parent) => orderedTables.has(parent)),
    )
    if (next === undefined) throw new Error('Tables refer to each other in a circle')
    orderedTables.set(next.name, { name: next.name, columns: next.columns })
  }
  return [...orderedTables.values()]
}

const formatColumns = ({ columns }: BackupTable) => columns.map(quoteIdentifier).join(', ')

/** A table and its columns for COPY from a file. */
export const formatCopyTable = (table: BackupTable): string =>
  `${quoteIdentifier(table.name)} (${formatColumns(table)})`

/** The same rows for COPY to a file, which cannot name a table with partitions. */
export const formatCopyQuery = (table: BackupTable): string =>
  `(select ${formatColumns(table)} from ${quoteIdentifier(table.name)})`

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The last id that was given to a row of a table, also to one that is deleted; null for a table without such ids. */
export async function readNewestId(client: pg.ClientBase, table: BackupTable): Promise<number | null> {
  const { rows } = await client.query<{ last_id: number | null }>(
    `select max(pg_sequence_last_value(pg_get_serial_sequence(quote_ident(table_name), column_name)::regclass)) as last_id
     from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_identity = 'YES'`,
    [table.name],
  )
  return rows[0]?.last_id ?? null
}
