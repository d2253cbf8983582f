import type pg from 'pg'
import type { Db } from './pool.ts'

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

/** Runs `work` in a read-only transaction with one snapshot. It must not read partitioned tables: see `beginSnapshot`. */
export const inSnapshot = <T>(db: Db, work: (snapshot: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
