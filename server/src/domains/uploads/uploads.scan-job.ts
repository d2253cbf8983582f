import { sql } from 'kysely'
import { ScanError, type Scanner } from '../../platform/files/clamd.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { TakeOrders } from './uploads.upload.ts'

/** Milliseconds that one scan may take, and that the orders of one file may take. */
const scanWithin = 120_000
const ordersWithin = 60_000
/** Seconds after which a file that could not be scanned, though the scanner answers, is scanned again. */
const retryAfter = 600

interface ScanParts {
  db: Db
  files: FileStore
  scanner: Scanner
  takeOrders: TakeOrders
}

interface WaitingUpload {
  id: number
  user_id: number
  extension: string
  sha256: string
  infected_with: string | null
}

/** Scans the uploads that wait for the scanner, one after the other; a clean one is then treated as any upload. */
export function scanJob({ log, bell }: Deps, parts: ScanParts): Job {
  const { db, scanner, files } = parts
  return {
    name: 'upload-scans',
    every: 5000,
    timeout: 600_000,
    alone: true,
    async run(stopping) {
      while (!stopping.aborted) {
        const upload = await nextWaiting(db)
        if (upload === undefined) return
        try {
          const signal = AbortSignal.any([stopping, AbortSignal.timeout(scanWithin)])
          const known = upload.infected_with ?? (await knownInfection(db, upload.sha256))
          const signature = known ?? (await scanner.scan(files.pathOf(upload.sha256), signal))
          if (signature === null) {
            await release(parts, upload)
            bell.emit('uploads')
          } else {
            await refuseInfected(parts, upload.sha256, signature)
            log.warn({ id: upload.id, user: upload.user_id, signature }, 'Removed an infected upload')
          }
        } catch (error) {
          if (!(error instanceof ScanError) || stopping.aborted) throw error
          await noteFailure(db, upload.id, error)
          if (error.kind === 'away') return
        }
      }
    },
  }
}

const nextWaiting = (db: Db): Promise<WaitingUpload | undefined> =>
  db
    .selectFrom('uploads')
    .select(['id', 'user_id', 'extension', 'sha256', 'infected_with'])
    .where('status', '=', 'scanning')
    .where('next_at', '<=', sql<string>`now()`)
    .orderBy('next_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** The bytes may be gone already, removed for another upload of the same file. */
async function knownInfection(db: Db, sha256: string): Promise<string | null> {
  const row = await db
    .selectFrom('uploads')
    .select('infected_with')
    .where('sha256', '=', sha256)
    .where('infected_with', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row?.infected_with ?? null
}

/** Orders first: both steps are harmless to repeat, and a status without its orders would never be looked at again. */
async function release({ db, files, takeOrders }: ScanParts, upload: WaitingUpload): Promise<void> {
  const { id, extension, sha256, user_id } = upload
  if (extension === 'xlsx' || extension === 'xls') {
    const file = { path: files.pathOf(sha256), extension } as const
    await takeOrders(file, user_id, performance.now() + ordersWithin).catch((error: unknown) => {
      // A workbook that cannot be read is a document all the same.
      if (!(error instanceof AppError) || error.status >= 500) throw error
    })
  }
  await db
    .updateTable('uploads')
    .set({ status: 'queued', last_error: null, next_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'scanning')
    .execute()
}

/**
 * Every upload of these bytes is marked, then the bytes go, then the status is final: a kill in between leaves an upload
 * that waits and is known to be infected.
 */
async function refuseInfected({ db, files }: ScanParts, sha256: string, signature: string): Promise<void> {
  await db.updateTable('uploads').set({ infected_with: signature }).where('sha256', '=', sha256).execute()
  await files.remove(sha256)
  await db
    .updateTable('uploads')
    .set({ status: 'refused', last_error: `Infected (${signature}); the file was removed` })
    .where('sha256', '=', sha256)
    .where('status', '<>', 'sent')
    .execute()
}

/** A scanner that is away is asked again at the next run; what it cannot scan lets the others go first. */
async function noteFailure(db: Db, id: number, { kind, message }: ScanError): Promise<void> {
  const wait = kind === 'away' ? 0 : retryAfter
  await db
    .updateTable('uploads')
    .set({ last_error: message, next_at: sql`now() + make_interval(secs => ${wait})` })
    .where('id', '=', id)
    .where('status', '=', 'scanning')
    .execute()
}
