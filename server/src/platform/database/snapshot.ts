import type pg from 'pg'

/**
 * Begins a read-only transaction with one snapshot. It first locks the partitioned tables, because a partition that is
 * dropped later would be missing from the snapshot.
 */
export async function beginSnapshot(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relkind = 'p' and relnamespace = current_schema()::regnamespace order by relname`,
  )
  await client.query('begin isolation level repeatable read read only')
  for (const { name } of rows) await client.query(`lock table ${name} in access share mode`)
}
