import type { ImportAnswer } from '@karvon/contract/lib/import.ts'
import { sql } from 'kysely'
import type { Db } from '../database/pool.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import type { Identity } from '../http/guard.ts'
import { currentKey } from '../http/idempotency.ts'
import type { ReceivedFile } from '../http/multipart.ts'
import { appErrorOfDatabase } from '../database/pg-errors.ts'
import { Progress } from './spreadsheets.progress.ts'

/** Milliseconds between two notes of how far an import is; each is a sign of life as well. */
const every = 500
/** How long what became of an import can be asked for. */
const kept = '30 days'

/** An import that can be followed: `key` is the caller's UUID. */
export interface Followed {
  key: string
  kind: 'leads' | 'parcels'
  file: ReceivedFile
  person: Identity
}

/**
 * Runs an import and notes in `imports` how far it is, and how it ended. A note that fails is no reason for
 * the import to: it is logged. Errors: 409 for a key that was used before, and those of `work`.
 */
export async function follow(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { key, kind, file, person }: Followed,
  work: (progress: Progress) => Promise<ImportAnswer>,
): Promise<ImportAnswer> {
  await db
    .deleteFrom('imports')
    .where('started_at', '<', sql<string>`now() - ${kept}::interval`)
    .execute()
  // Its repeat by the same Idempotency-Key is under way only once it is over itself.
  if (currentKey() !== undefined) await forgetEnded(db, key, person.userId)
  const { id } = await db
    .insertInto('imports')
    .values({ key, kind, user_id: person.userId, file: file.name, size: file.size })
    .returning('id')
    .executeTakeFirstOrThrow()
  const progress = new Progress(file.size)
  const note = async (end: { status: 'done' | 'failed'; error?: string } | null) => {
    const { bytesRead, imported, updated, unchanged, skipped } = progress
    const now = sql<string>`now()`
    await db
      .updateTable('imports')
      .set({ bytes_read: bytesRead, imported, updated, unchanged, skipped, seen_at: now })
      .$if(end !== null, (query) => query.set({ ...end, finished_at: now }))
      .where('id', '=', id)
      // A note that was on its way when the end was written comes too late.
      .where('status', '=', 'running')
      .execute()
      .catch((error: unknown) => log.warn({ err: error, id }, 'The progress of an import was not noted'))
  }
  const timer = setInterval(() => void note(null), every)
  try {
    const answer = await work(progress)
    await note({ status: 'done' })
    return answer
  } catch (error) {
    await note({ status: 'failed', error: sentence(error) })
    throw error
  } finally {
    clearInterval(timer)
  }
}

const forgetEnded = (db: Db, key: string, userId: number) =>
  db
    .deleteFrom('imports')
    .where('key', '=', key)
    .where('user_id', '=', userId)
    .where((e) =>
      e.or([e('status', '<>', 'running'), e('seen_at', '<', sql<string>`now() - interval '10 s'`)]),
    )
    .execute()

function sentence(error: unknown): string {
  const known = error instanceof AppError ? error : appErrorOfDatabase(error)
  return known?.message ?? 'Something went wrong on the server.'
}
