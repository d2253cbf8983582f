import { sql } from 'kysely'
import { lockKeys } from '../database/lock-keys.ts'
import type { Db } from '../database/pool.ts'

// The advisory lock of stored files is shared to store files, exclusive to remove them.
const { storedFiles } = lockKeys

/**
 * Prevents the removal of files until the transaction ends. For code that stores a file before the row that refers to
 * it.
 */
export async function lockFilesAgainstRemoval(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${storedFiles})`.execute(trx)
}

/** Prevents the removal of files until the session of the database ends. */
export const lockFilesAgainstRemovalSql = `select pg_advisory_lock_shared(${storedFiles})`

/** Excludes uploads and removals until the session of the database ends. */
export const lockFilesForMoveSql = `select pg_advisory_lock(${storedFiles})`

/** Locks files for removal until the transaction ends; false when others have the lock. Never waits. */
export async function tryLockFilesForRemoval(trx: Db): Promise<boolean> {
  const { rows } = await sql<{
    is_free: boolean
  }>`select pg_try_advisory_xact_lock(${storedFiles}) as is_free`.execute(trx)
  return rows[0]?.is_free === true
}
