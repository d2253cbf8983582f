import type pg from 'pg'

/** True if the database has a migration and can be written to. */
export async function isMigratedTo(pool: pg.Pool, migration: string | undefined): Promise<boolean> {
  const text =
    'select exists (select from schema_migrations where name = $1) and not pg_is_in_recovery() as is_migrated'
  const { rows } = await pool.query<{ is_migrated: boolean }>(text, [migration])
  return rows[0]?.is_migrated === true
}
