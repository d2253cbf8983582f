import { sql } from 'kysely'
import type { Db } from '../database/pool.ts'

/** Key of the advisory lock of stored files. */
const FILES_LOCK = 0x46494c45

/**
 * No stored file is removed until the transaction ends. For code that stores a file and then the row that refers to
 * it.
 */
export async function lockFilesAgainstRemoval(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${FILES_LOCK})`.execute(trx)
}

/** The same for a whole session of the database. */
export const lockFilesAgainstRemovalText = `select pg_advisory_lock_shared(${FILES_LOCK})`

/** Locks files for a whole session of the database. It waits for uploads and removals, and they wait for it. */
export const lockFilesForMoveText = `select pg_advisory_lock(${FILES_LOCK})`

/** Locks files for removal until the transaction ends; false when the lock is taken. Never waits. */
export async function tryLockFilesForRemoval(trx: Db): Promise<boolean> {
  const { rows } = await sql<{
    free: boolean
  }>`select pg_try_advisory_xact_lock(${FILES_LOCK}) as free`.execute(trx)
  return rows[0]?.free === true
}
