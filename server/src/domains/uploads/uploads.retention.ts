import { sql } from 'kysely'
import type { FileStore } from '../../platform/files/file-store.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import { tryLockFilesForRemoval } from '../../platform/files/file-lock.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { retentionJob } from '../../platform/jobs/retention.ts'

const hour = 3_600_000
/** Maximum number of uploads in one statement, and of files in one transaction. */
const batchSize = 500
/** Days until the record of an upload is deleted after its file was removed. */
const recordRetentionDays = 1095

type RetentionDeps = Pick<Deps, 'db' | 'config' | 'log'>

/** The jobs that remove the files of old uploads, and much later their records. */
export const uploadsRetention = (deps: RetentionDeps, files: FileStore): Job[] => [
  uploadFilesJob(deps, files),
  retentionJob(deps.db, { table: 'uploads', timeColumn: 'file_removed_at', days: recordRetentionDays }),
]

/** Schedules the removal of a new file in an hour. The removal is skipped if an upload needs the file by then. */
export async function scheduleFileRemoval(db: Db, sha256: string): Promise<void> {
  await sql`
    insert into file_removals as r (sha256, due_at) values (${sha256}, now() + interval '1 hour')
    on conflict (sha256) do update set due_at = greatest(r.due_at, excluded.due_at)`.execute(db)
}

/** Marks the rows first and removes the files then. After a kill in between, the next run removes the files. */
function uploadFilesJob({ db, config, log }: RetentionDeps, files: FileStore): Job {
  const days = config.uploadRetentionDays
  return {
    name: 'upload-files',
    interval: hour,
    timeout: 60_000,
    isExclusive: true,
    async run() {
      const uploads = days === 0 ? 0 : await markOldUploads(db, days)
      const checked = await removeUnusedFiles(db, files)
      if (uploads > 0) log.info({ uploads }, 'Removed the files of old uploads')
      return { more: uploads === batchSize || checked === batchSize }
    },
  }
}

/** Marks old uploads that were sent or refused. A trigger schedules the removal of their files. */
async function markOldUploads(db: Db, days: number): Promise<number> {
  const { rows } = await sql`
    update uploads set file_removed_at = now()
    where file_removed_at is null and status in ('sent', 'refused') and id in (
      select id from uploads
      where file_removed_at is null and status in ('sent', 'refused')
        and created_at < now() - make_interval(days => ${days})
      order by created_at, id limit ${batchSize})
    returning id`.execute(db)
  return rows.length
}

/** Removes due files that no upload needs, and none while a backup locks the files. Answers how many were checked. */
async function removeUnusedFiles(db: Db, files: FileStore): Promise<number> {
  return db.transaction().execute(async (trx) => {
    if (!(await tryLockFilesForRemoval(trx))) return 0
    const { rows } = await sql<{ sha256: string; needed: boolean }>`
      with due as (
        delete from file_removals where sha256 in (
          select sha256 from file_removals where due_at <= now() order by due_at, sha256 limit ${batchSize})
        returning sha256
      )
      select sha256, exists (
        select from uploads u
        where u.sha256 = due.sha256 and u.infected_with is null and u.file_removed_at is null) as needed
      from due`.execute(trx)
    // Files are removed before the commit. A kill keeps the schedule, and removing a file twice changes nothing.
    for (const { sha256, needed } of rows) if (!needed) await files.remove(sha256)
    return rows.length
  })
}
