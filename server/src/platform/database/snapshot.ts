import type pg from 'pg'

/**
 * Begins a read-only transaction with one snapshot. A partition that is dropped afterwards would be missing from the snapshot, so
 * the tables with partitions are locked against it before the snapshot is taken.
 */
export async function beginSnapshot(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relkind = 'p' and relnamespace = current_schema()::regnamespace order by relname`,
  )
  await client.query('begin isolation level repeatable read read only')
  for (const { name } of rows) await client.query(`lock table ${name} in access share mode`)
}
