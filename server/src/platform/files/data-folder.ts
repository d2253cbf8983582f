import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../database/pool.ts'
import { AppError } from '../http/errors.ts'

// The data folder and the database have the same mark. A process whose folder lacks it has a folder of its own instead of
// the shared one: it would store files that no other process finds, and miss those of the others.

/** Key of the advisory lock of the mark. */
const MARK_LOCK = 0x4d41524b
const markFile = 'data-folder'
const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

interface Claim {
  folder: string
  /** Whether the database refers to stored files. */
  hasFiles: (trx: Db) => Promise<boolean>
}

/**
 * Gives a folder and the database one mark at the start of a process. The database takes the mark of another folder only
 * as long as there are no files to lose. False: the files of the database are in another folder. Errors: those of the
 * disk and of the database.
 */
export async function claimDataFolder(db: Db, { folder, hasFiles }: Claim): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${MARK_LOCK})`.execute(trx)
    const stored = await trx.selectFrom('data_folder').select('mark').executeTakeFirst()
    const folderMark = await readMark(folder)
    if (stored !== undefined && stored.mark === folderMark) return true
    // A database from before the marks has files and no mark.
    const mayTake = stored === undefined && (await exists(join(folder, 'files')))
    if (!mayTake && (await hasFiles(trx))) return false
    const mark = folderMark ?? randomUUID()
    if (folderMark === null) await writeMark(folder, mark)
    await trx
      .insertInto('data_folder')
      .values({ mark })
      .onConflict((conflict) => conflict.column('is_only').doUpdateSet({ mark }))
      .execute()
    return true
  })
}

/** Whether a folder has the mark of the database. A database without a mark belongs to every folder. */
export async function isDataFolderOwn(pool: pg.Pool, folder: string): Promise<boolean> {
  const { rows } = await pool.query<{ mark: string }>('select mark from data_folder')
  const [stored] = rows
  return stored === undefined || stored.mark === (await readMark(folder))
}

/** Throws `data_folder_missing` unless the folder has the mark of the database. */
export async function requireDataFolder(pool: pg.Pool, folder: string): Promise<void> {
  if (!(await isDataFolderOwn(pool, folder)))
    throw new AppError('data_folder_missing', {}, { retryAfter: 60 })
}

/** Null also for a folder that cannot be read: it is not the one with the files. */
async function readMark(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, markFile), 'utf8').catch(() => '')
  const mark = text.trim()
  return uuidPattern.test(mark) ? mark : null
}

async function writeMark(folder: string, mark: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, markFile)
  await writeFile(`${path}.${process.pid}`, `${mark}\n`, { mode: 0o600, flush: true })
  await rename(`${path}.${process.pid}`, path)
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
