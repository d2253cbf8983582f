import { sql } from 'kysely'
import type { FileStore } from '../../platform/files/file-store.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import { mayRemoveFiles } from '../../platform/files/file-lock.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { retentionJob } from '../../platform/jobs/retention.ts'

const hour = 3_600_000
/** Uploads of one statement, and files of one transaction. */
const batch = 500
/** Days that the record of an upload stays after its file was removed. */
const recordKeptDays = 1095

type Parts = Pick<Deps, 'db' | 'config' | 'log'>

/** Removes the files of old uploads, and much later their records. */
export const uploadsRetention = (deps: Parts, files: FileStore): Job[] => [
  uploadFilesJob(deps, files),
  retentionJob(deps.db, { table: 'uploads', at: 'file_removed_at', days: recordKeptDays }),
]

/** Notes a file that is about to be stored: should its upload never be there, the file is removed an hour later. */
export async function noteStoredFile(db: Db, sha256: string): Promise<void> {
  await sql`
    insert into file_removals as r (sha256, due_at) values (${sha256}, now() + interval '1 hour')
    on conflict (sha256) do update set due_at = greatest(r.due_at, excluded.due_at)`.execute(db)
}

/** First the rows lose their files, then the files go: a kill in between leaves files that the next run removes. */
function uploadFilesJob({ db, config, log }: Parts, files: FileStore): Job {
  const days = config.uploadsKeptDays
  return {
    name: 'upload-files',
    every: hour,
    timeout: 60_000,
    alone: true,
    async run() {
      const uploads = days === 0 ? 0 : await markOld(db, days)
      const looked = await removeUnused(db, files)
      if (uploads > 0) log.info({ uploads }, 'Removed the files of old uploads')
      return { more: uploads === batch || looked === batch }
    },
  }
}

/** Those that Telegram has, or refused for good; a trigger notes their files for removal. */
async function markOld(db: Db, days: number): Promise<number> {
  const { rows } = await sql`
    update uploads set file_removed_at = now()
    where file_removed_at is null and status in ('sent', 'refused') and id in (
      select id from uploads
      where file_removed_at is null and status in ('sent', 'refused')
        and created_at < now() - make_interval(days => ${days})
      order by created_at, id limit ${batch})
    returning id`.execute(db)
  return rows.length
}

/** Removes due files that no upload needs; none of them while files must stay in place. How many were looked at. */
async function removeUnused(db: Db, files: FileStore): Promise<number> {
  return db.transaction().execute(async (trx) => {
    if (!(await mayRemoveFiles(trx))) return 0
    const { rows } = await sql<{ sha256: string; needed: boolean }>`
      with due as (
        delete from file_removals where sha256 in (
          select sha256 from file_removals where due_at <= now() order by due_at, sha256 limit ${batch})
        returning sha256
      )
      select sha256, exists (
        select from uploads u
        where u.sha256 = due.sha256 and u.infected_with is null and u.file_removed_at is null) as needed
      from due`.execute(trx)
    // Before the commit: a kill meanwhile leaves the notes, and removing a file twice is harmless.
    for (const { sha256, needed } of rows) if (!needed) await files.remove(sha256)
    return rows.length
  })
}
