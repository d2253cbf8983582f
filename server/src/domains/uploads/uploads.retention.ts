import { setTimeout as sleep } from 'node:timers/promises'
import type { FileStore } from '../../platform/files/file-store.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import { tryLockFilesForRemoval } from '../../platform/files/file-lock.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { retentionJob } from '../../platform/jobs/retention.ts'
import { deleteDueRemovals, markOldUploads } from './uploads.retention.queries.ts'

const hour = 3_600_000
/** Maximum number of uploads in one statement, and of files in one run. */
const batchSize = 500
/** Files that are removed under one lock. Uploads wait for it, and a bucket may take half a second for a file. */
const filesPerLock = 10
/** How often a run finds the files locked by uploads before it gives up, and the milliseconds between two attempts. */
const maxLockAttempts = 5
const lockPause = 500
/** Days until the record of an upload is deleted after its file was removed. */
const recordRetentionDays = 1095

type RetentionDeps = Pick<Deps, 'db' | 'config' | 'files' | 'log'>

/** The jobs that remove the files of old uploads, and much later their records. */
export const uploadsRetention = (deps: RetentionDeps): Job[] => [
  uploadFilesJob(deps),
  retentionJob(deps.db, { table: 'uploads', timeColumn: 'file_removed_at', days: recordRetentionDays }),
]

/** Marks the rows first and removes the files then. After a kill in between, the next run removes the files. */
function uploadFilesJob({ db, config, files, log }: RetentionDeps): Job {
  const days = config.uploadRetentionDays
  return {
    name: 'upload-files',
    interval: hour,
    timeout: 60_000,
    isExclusive: true,
    async run() {
      const uploads = days === 0 ? 0 : await markOldUploads(db, days, batchSize)
      const hasMoreFiles = await removeUnusedFiles(db, files)
      if (uploads > 0) log.info({ uploads }, 'Removed the files of old uploads')
      return { hasMore: uploads === batchSize || hasMoreFiles }
    },
  }
}

/**
 * Removes due files that no upload needs, and none while a backup locks the files. Uploads wait for a lock of a few files only.
 * Answers whether there may be more.
 */
async function removeUnusedFiles(db: Db, files: FileStore): Promise<boolean> {
  let lockedCount = 0
  for (let checkedCount = 0; checkedCount < batchSize;) {
    const count = await removeFewUnusedFiles(db, files)
    if (count === null) {
      lockedCount += 1
      if (lockedCount === maxLockAttempts) return false
      await sleep(lockPause)
    } else {
      checkedCount += count
      if (count < filesPerLock) return false
    }
  }
  return true
}

/** Answers how many files were checked; null while an upload or a backup locks the files. */
async function removeFewUnusedFiles(db: Db, files: FileStore): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    if (!(await tryLockFilesForRemoval(trx))) return null
    const due = await deleteDueRemovals(trx, filesPerLock)
    // Files are removed before the commit. A kill keeps the schedule, and removing a file twice changes nothing.
    for (const { sha256, is_needed: isNeeded } of due) if (!isNeeded) await files.remove(sha256)
    return due.length
  })
}
