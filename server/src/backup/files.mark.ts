import { openDb, openPool } from '../platform/database/pool.ts'
import { setMark } from '../platform/files/file-store.mark.ts'
import type { BackupInstallation } from './backup.write.ts'

/** Makes the store of the installation that of its database. */
export async function markFileStore({ url, timeZone, files }: BackupInstallation): Promise<void> {
  const pool = openPool(url, { timezone: timeZone, max: 1 })
  try {
    await openDb(pool)
      .transaction()
      .execute((trx) => setMark(trx, files))
  } finally {
    await pool.end()
  }
}
