import type { ImportKind } from '@karvon/contract/imports/imports.ts'
import type { ImportAnswer } from '@karvon/contract/lib/import.ts'
import { sql } from 'kysely'
import type { Db } from '../database/pool.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import type { Identity } from '../http/guard.ts'
import { getIdempotentRequest } from '../http/idempotency.ts'
import type { ReceivedFile } from '../http/multipart.ts'
import { fromDatabaseError } from '../database/pg-errors.ts'
import { retryWhileUnavailable } from '../database/retry-while-unavailable.ts'
import { finishInterruptedImports } from './spreadsheets.interrupted.ts'
import type { ImportProgress } from './spreadsheets.progress.ts'

/** Milliseconds between two updates of the progress. Each update is also a heartbeat. */
const progressInterval = 500
/** How long the result of an import is kept. */
const retentionPeriod = '30 days'

/**
 * An import whose progress clients can read. `key` is the UUID of the client, or a random one. `details`: what its audit entry
 * has besides the file and the counts.
 */
export interface TrackedImport {
  key: string
  kind: ImportKind
  details: Record<string, unknown>
  file: ReceivedFile
  person: Identity
  progress: ImportProgress
}

/**
 * Runs an import and stores its progress and its result in the table `imports`. A failed update of the progress is
 * logged and does not stop the import. The result waits while the database is unavailable. Errors: 409 for a used key, and those of `work`.
 */
export async function runTrackedImport(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { key, kind, details, file, person, progress }: TrackedImport,
  work: () => Promise<ImportAnswer>,
): Promise<ImportAnswer> {
  await db
    .deleteFrom('imports')
    .where('started_at', '<', sql<string>`now() - ${retentionPeriod}::interval`)
    .execute()
  // A repeated request with the same Idempotency-Key runs only after the first one has ended.
  if (getIdempotentRequest() !== undefined) await deleteEndedImport(db, key, person.userId)
  const { id } = await db
    .insertInto('imports')
    .values({
      key,
      kind,
      user_id: person.userId,
      file: file.name,
      size: file.size,
      details: JSON.stringify(details),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const saveProgress = async (end: { status: 'done' | 'failed'; error?: string } | null) => {
    const { bytesRead, imported, updated, unchanged, skipped } = progress
    const now = sql<string>`now()`
    await db
      .updateTable('imports')
      .set({ bytes_read: bytesRead, imported, updated, unchanged, skipped, heartbeat_at: now })
      .$if(end !== null, (query) => query.set({ ...end, finished_at: now }))
      .where('id', '=', id)
      // An update that arrives after the result is ignored.
      .where('status', '=', 'running')
      .execute()
  }
  const logFailure = (error: unknown) =>
    log.warn({ err: error, id }, 'The progress of an import was not stored')
  let isSaving = false
  const timer = setInterval(() => {
    // Two updates on two connections could arrive in any order, so that the progress would go back.
    if (isSaving) return
    isSaving = true
    void saveProgress(null)
      .catch(logFailure)
      .finally(() => (isSaving = false))
  }, progressInterval)
  try {
    const answer = await work()
    // Without its result, the import would count as interrupted.
    await retryWhileUnavailable(() => saveProgress({ status: 'done' })).catch(logFailure)
    return answer
  } catch (error) {
    await saveProgress({ status: 'failed', error: describeImportError(error) }).catch(logFailure)
    throw error
  } finally {
    clearInterval(timer)
  }
}

/** Seconds without an update after which a repeated request counts the first one as ended. */
const endedAfter = 10

const deleteEndedImport = (db: Db, key: string, userId: number) =>
  db.transaction().execute(async (trx) => {
    await finishInterruptedImports(trx, endedAfter, { key, userId })
    await trx
      .deleteFrom('imports')
      .where('key', '=', key)
      .where('user_id', '=', userId)
      .where('status', '<>', 'running')
      .execute()
  })

/** The text of the error of an import, without details of the server. */
export function describeImportError(error: unknown): string {
  const appError = error instanceof AppError ? error : fromDatabaseError(error)
  return appError?.message ?? 'Something went wrong on the server.'
}
