import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { lockKeys } from '../database/lock-keys.ts'
import type { Db } from '../database/pool.ts'
import { AppError } from '../http/errors.ts'
import type { FileStore } from './file-store.ts'

// The file store and the database have the same mark. A store without it belongs to another installation or is an empty
// folder instead of the shared one: a process would not find the files of other processes there.

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

interface Claim {
  store: FileStore
  /** Whether the database refers to stored files. */
  hasFiles: (trx: Db) => Promise<boolean>
}

/**
 * Gives a store and the database the same mark at the start of a process. Returns false if the database refers to
 * files in another store. Errors: those of the store and of the database.
 */
export async function claimFileStore(db: Db, { store, hasFiles }: Claim): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${lockKeys.fileStoreMark})`.execute(trx)
    const markRow = await trx.selectFrom('data_folder').select('mark').executeTakeFirst()
    if (markRow !== undefined && markRow.mark === (await readMark(store))) return true
    // A database from before the marks has files and no mark.
    const isFromBeforeMarks = markRow === undefined && (await store.mayHaveOldFiles())
    if (!isFromBeforeMarks && (await hasFiles(trx))) return false
    await setMark(trx, store)
    return true
  })
}

/** Stores the mark of a store in the database. Creates the mark if the store has none. */
export async function setMark(trx: Db, store: FileStore): Promise<void> {
  const storeMark = await readMark(store)
  const mark = storeMark ?? randomUUID()
  if (storeMark === null) await store.writeMark(mark)
  await trx
    .insertInto('data_folder')
    .values({ mark })
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet({ mark }))
    .execute()
}

/** Whether a store has the mark of the database. A database without a mark belongs to every store. */
export async function isFileStoreOwn(db: Db, store: FileStore): Promise<boolean> {
  const markRow = await db.selectFrom('data_folder').select('mark').executeTakeFirst()
  return markRow === undefined || markRow.mark === (await readMark(store))
}

/** Throws `data_folder_missing` unless the store has the mark of the database. */
export async function requireFileStore(db: Db, store: FileStore): Promise<void> {
  if (!(await isFileStoreOwn(db, store))) throw new AppError('data_folder_missing', {}, { retryAfter: 60 })
}

async function readMark(store: FileStore): Promise<string | null> {
  const mark = await store.readMark()
  return mark !== null && uuidPattern.test(mark) ? mark : null
}
