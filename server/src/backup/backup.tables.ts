import type pg from 'pg'

/** A table as it is copied. */
export interface CopiedTable {
  name: string
  /** Those that are stored, not those that PostgreSQL computes. */
  columns: string[]
}

/** What belongs to one installation or one moment alone: its own schema, and who is signed in. */
const left = [
  'schema_migrations',
  'sessions',
  'sign_in_failures',
  'reset_requests',
  'reset_mails',
  'account_mails',
  'known_devices',
  'reset_links',
]

/** Every other table, each after those that it refers to. */
export async function tablesInOrder(client: pg.ClientBase): Promise<CopiedTable[]> {
  const { rows } = await client.query<CopiedTable & { refers: string[] }>(
    `select c.relname::text as name,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
         where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers
     from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> all($1)
     order by c.relname`,
    [left],
  )
  const placed = new Map<string, CopiedTable>()
  while (placed.size < rows.length) {
    const next = rows.find(
      ({ name, refers }) => !placed.has(name) && refers.every((each) => placed.has(each)),
    )
    if (next === undefined) throw new Error('Tables refer to each other in a circle')
    placed.set(next.name, { name: next.name, columns: next.columns })
  }
  return [...placed.values()]
}

/** A table and its columns as COPY names them. */
export const copied = ({ name, columns }: CopiedTable): string =>
  `${quoted(name)} (${columns.map(quoted).join(', ')})`

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
