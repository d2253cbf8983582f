import { ScanError, type Scanner } from '../../platform/files/clamd.ts'
import type { Deps } from '../../platform/deps.ts'
import { unexpectedReason } from '../../platform/queue/queue.job.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { queueNotices } from '../notices/notices.queue.queries.ts'
import { importOrders } from '../parcels/parcels.orders.ts'
import {
  findKnownInfection,
  findNextWaiting,
  markInfected,
  queueScannedUpload,
  recordScanFailure,
  refuseUnsentUploads,
  scanWorkDelay,
  type WaitingUpload,
} from './uploads.scan.queries.ts'

/** Maximum times of one scan, and of the import of one file's orders, in milliseconds. */
const scanTimeout = 120_000
const ordersTimeout = 60_000
/** Seconds to read a workbook. No person waits for the answer. */
const readSeconds = 30
/** Seconds until a file is scanned again after the scanner answered with a failure. */
const retrySeconds = 600

type ScanDeps = Pick<Deps, 'db' | 'config' | 'files'>

/** Scans the waiting uploads one by one. Imports the orders of a clean upload and queues it for sending. */
export function scanJob(deps: Deps, scanner: Scanner): Job {
  const { db, files, log, jobTrigger } = deps
  return {
    name: 'upload-scans',
    interval: 5000,
    timeout: 600_000,
    isExclusive: true,
    workDelay: scanWorkDelay,
    async run(stopping) {
      while (!stopping.aborted) {
        const upload = await findNextWaiting(db)
        if (upload === undefined) return
        try {
          const signal = AbortSignal.any([stopping, AbortSignal.timeout(scanTimeout)])
          const knownSignature = upload.infected_with ?? (await findKnownInfection(db, upload.sha256))
          const signature =
            knownSignature ?? (await files.withPath(upload.sha256, (path) => scanner.scan(path, signal)))
          if (signature === null) {
            await releaseUpload(deps, upload)
            jobTrigger.emit('uploads')
          } else {
            await refuseInfected(deps, upload.sha256, signature)
            log.warn({ id: upload.id, user: upload.user_id, signature }, 'Removed an infected upload')
          }
        } catch (error) {
          if (stopping.aborted) throw error
          // Each upload that fails waits behind the others, and one that the scanner rejects waits longer.
          const isRejected = error instanceof ScanError && error.kind !== 'away'
          const wait = isRejected ? retrySeconds : 0
          await recordScanFailure(db, upload.id, { reason: describeFailure(error), wait })
          if (!(error instanceof ScanError)) throw error
          if (!isRejected) return
        }
      }
    },
  }
}

const describeFailure = (error: unknown): string =>
  error instanceof ScanError || error instanceof AppError ? error.message : unexpectedReason

/** Imports the orders before it changes the status: an interrupted call is repeated only while the upload waits. */
async function releaseUpload(deps: ScanDeps, upload: WaitingUpload): Promise<void> {
  const { id, user_id: userId, name } = upload
  const isComplete = await importAllOrders(deps, upload)
  await inTransaction(deps.db, async (trx) => {
    await queueScannedUpload(trx, id)
    if (isComplete) return
    const message = 'upload_orders_refused'
    await queueNotices(trx, [{ ...createNotice(id, userId), message, params: { name } }])
  })
}

/** Imports the orders of a workbook, and answers whether none was refused. */
async function importAllOrders(deps: ScanDeps, upload: WaitingUpload): Promise<boolean> {
  const { extension, sha256, user_id: ownerId } = upload
  if (extension !== 'xlsx' && extension !== 'xls') return true
  const importFrom = (path: string) =>
    importOrders(deps, {
      file: { path, extension },
      ownerId,
      deadline: performance.now() + ordersTimeout,
      seconds: readSeconds,
    })
  try {
    const result = await deps.files.withPath(sha256, importFrom)
    return result === null || result.errors.length === 0
  } catch (error) {
    // A workbook that cannot be read is still sent as a document.
    if (error instanceof AppError && error.status < 500) return false
    throw error
  }
}

/**
 * Marks every upload of the file, removes the file, and then sets the final status. A process that is killed in between
 * leaves a waiting upload that is known to be infected, and the next run repeats the steps.
 */
async function refuseInfected({ db, files }: ScanDeps, sha256: string, signature: string): Promise<void> {
  await markInfected(db, sha256, signature)
  await files.remove(sha256)
  await inTransaction(db, async (trx) => {
    const uploads = await refuseUnsentUploads(trx, sha256, `Infected (${signature}); the file was removed`)
    await queueNotices(
      trx,
      uploads.map(({ id, user_id: userId, name }) => ({
        ...createNotice(id, userId),
        message: 'upload_infected',
        params: { name, signature },
      })),
    )
  })
}

/** The person who uploaded a file has no other way to learn the result of its scan. */
const createNotice = (uploadId: number, userId: number) => ({
  userId,
  kind: 'problem' as const,
  once: `upload:${uploadId}`,
})
