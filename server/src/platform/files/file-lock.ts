import { sql } from 'kysely'
import type { Db } from '../database/pool.ts'

/** Advisory lock of the stored files. */
const FILES_LOCK = 0x46494c45

/** Until the transaction ends, no stored file is removed: for who stores a file and then the row that names it. */
export async function keepFilesInPlace(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${FILES_LOCK})`.execute(trx)
}

/** The same for a session of its own, until the session ends. */
export const keepFilesInPlaceText = `select pg_advisory_lock_shared(${FILES_LOCK})`

/** Whether files may be removed until the transaction ends; false while somebody needs them in place. Never waits. */
export async function mayRemoveFiles(trx: Db): Promise<boolean> {
  const { rows } = await sql<{
    free: boolean
  }>`select pg_try_advisory_xact_lock(${FILES_LOCK}) as free`.execute(trx)
  return rows[0]?.free === true
}
