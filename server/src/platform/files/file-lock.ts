import { sql } from 'kysely'
import type { Db } from '../database/pool.ts'

/** Key of the advisory lock of stored files: shared to store files, exclusive to remove them. */
const FILES_LOCK = 0x46494c45

/**
 * Prevents the removal of files until the transaction ends. For code that stores a file before the row that refers to
 * it.
 */
export async function lockFilesAgainstRemoval(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${FILES_LOCK})`.execute(trx)
}

/** Prevents the removal of files until the session of the database ends. */
export const lockFilesAgainstRemovalSql = `select pg_advisory_lock_shared(${FILES_LOCK})`

/** Excludes uploads and removals until the session of the database ends. */
export const lockFilesForMoveSql = `select pg_advisory_lock(${FILES_LOCK})`

/** Locks files for removal until the transaction ends; false when others have the lock. Never waits. */
export async function tryLockFilesForRemoval(trx: Db): Promise<boolean> {
  const { rows } = await sql<{
    free: boolean
  }>`select pg_try_advisory_xact_lock(${FILES_LOCK}) as free`.execute(trx)
  return rows[0]?.free === true
}
