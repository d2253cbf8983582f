import { stat } from 'node:fs/promises'
import type pg from 'pg'
import { openClient } from '../platform/database/connection.ts'
import { lockFilesForMoveSql } from '../platform/files/file-lock.ts'
import { openFolderStore, type FolderStore } from '../platform/files/file-store.folder.ts'
import type { FileStore } from '../platform/files/file-store.ts'
import { listFiles, type BackupInstallation } from './backup.write.ts'
import { storeCopy } from './files.copy.ts'
import { markFileStore } from './files.mark.ts'

/** Seconds for which the last step waits until uploads have ended. */
const maxWaitSeconds = 60

/**
 * Copies the files of the data folder into the store of the installation, and then makes that the store of the database. The product may
 * run: processes on the folder answer `data_folder_missing` to uploads from the end on, until they have the new setting.
 * Files that are there are not copied again, so a run after a kill continues. The folder keeps its files. Returns the
 * number of copied files. Throws an Error for a missing file, and AppError when the store does not answer.
 */
export async function moveFiles(installation: BackupInstallation): Promise<number> {
  const { url, timeZone, dataFolder, files } = installation
  const copyMissing = (client: pg.Client) =>
    copyMissingFiles(client, { source: openFolderStore(dataFolder), target: files, dataFolder })
  const settings = { timezone: timeZone, statementTimeout: 0, applicationName: 'karvon move-files' }
  const client = await openClient(url, settings)
  try {
    let copiedCount = await copyMissing(client)
    await client.query(`set lock_timeout = '${maxWaitSeconds}s'`)
    await client.query(lockFilesForMoveSql)
    copiedCount += await copyMissing(client)
    await markFileStore(installation)
    return copiedCount
  } finally {
    await client.end()
  }
}

async function copyMissingFiles(
  client: pg.Client,
  { source, target, dataFolder }: { source: FolderStore; target: FileStore; dataFolder: string },
): Promise<number> {
  let copiedCount = 0
  for (const sha256 of await listFiles(client)) {
    const path = source.getPath(sha256)
    const storedFile = await target.read(sha256)
    storedFile?.stream.destroy()
    const { size } = await stat(path).catch(() => ({ size: null }))
    if (storedFile !== null && (size === null || storedFile.size === size)) continue
    if (size === null) throw new Error(`the uploaded file ${path} is missing`)
    await storeCopy(target, { path, sha256, dataFolder })
    copiedCount += 1
  }
  return copiedCount
}
