import type { FileStore } from '../../platform/files/file-store.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import { tryLockFilesForRemoval } from '../../platform/files/file-lock.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { retentionJob } from '../../platform/jobs/retention.ts'
import { deleteDueRemovals, markOldUploads } from './uploads.retention.queries.ts'

const hour = 3_600_000
/** Maximum number of uploads in one statement, and of files in one transaction. */
const batchSize = 500
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
      const checkedCount = await removeUnusedFiles(db, files)
      if (uploads > 0) log.info({ uploads }, 'Removed the files of old uploads')
      return { hasMore: uploads === batchSize || checkedCount === batchSize }
    },
  }
}

/** Removes due files that no upload needs, and none while a backup locks the files. Answers how many were checked. */
async function removeUnusedFiles(db: Db, files: FileStore): Promise<number> {
  return db.transaction().execute(async (trx) => {
    if (!(await tryLockFilesForRemoval(trx))) return 0
    const due = await deleteDueRemovals(trx, batchSize)
    // Files are removed before the commit. A kill keeps the schedule, and removing a file twice changes nothing.
    for (const { sha256, needed: isNeeded } of due) if (!isNeeded) await files.remove(sha256)
    return due.length
  })
}
