import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { uploadExtensions, type UploadAnswer } from '@karvon/contract/uploads/uploads.ts'
import { maxUploadDescription } from '@karvon/contract/lib/limits.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Scanner } from '../../platform/files/clamd.ts'
import type { Deps } from '../../platform/deps.ts'
import { checkContent, getExtension } from '../../platform/files/content.check.ts'
import { AppError, invalid } from '../../platform/http/errors.ts'
import { scanReceived } from '../../platform/files/received-scan.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { requireFileStore } from '../../platform/files/file-store.mark.ts'
import { lockFilesAgainstRemoval } from '../../platform/files/file-lock.ts'
import { insertOnce } from '../../platform/http/idempotency.ts'
import type { ReceivedFile } from '../../platform/http/multipart.ts'
import { ConcurrencyLimit } from '../../platform/limits/concurrency-limit.ts'
import { heavyTaskTimeout, maxStoringUploads, maxUploadsPerPerson } from '../../platform/limits/limits.ts'
import { importOrders, refuseOrdersOverQuota, type OrderImportResult } from '../parcels/parcels.orders.ts'
import { refuseUploadOverQuota } from '../quotas/quotas.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { insertUpload } from './uploads.queries.ts'
import { scheduleFileRemoval } from './uploads.retention.queries.ts'
import { describeDelay, firstAttempt, type UploadSendDeps } from './uploads.send.ts'

export interface UploadDeps extends UploadSendDeps, Pick<Deps, 'config'> {
  /** Null if uploads are not scanned. */
  scanner: Scanner | null
  log: FastifyBaseLogger
}

/** Milliseconds before the deadline that the last batch of orders may take. */
const ordersMargin = 700
/** Milliseconds before the deadline that a scan leaves for the orders and for Telegram. */
const scanMargin = 1500
/** Seconds during which only the request sends a new upload, and the job does not. */
const firstAttemptSeconds = 10

/** Milliseconds for which an upload waits until the files before it are stored. */
const storeQueueTimeout = 5000
const createStoreError = () => new AppError('file_store_unavailable', {}, { retryAfter: 5 })

/** Without this limit, uploads would use all connections of the database while a bucket does not answer. */
const storeLimit = new ConcurrencyLimit<number>({
  perKey: { max: 1, reason: 'uploads', createError: createStoreError },
  total: { max: maxStoringUploads, reason: 'uploads', createError: createStoreError },
  maxQueuedPerKey: maxUploadsPerPerson,
  holdTimeout: heavyTaskTimeout,
})

interface NewUpload {
  person: Identity
  file: ReceivedFile
  description: string
  /** By performance.now. */
  deadline: number
}

/**
 * Checks, scans and stores an uploaded file, then imports its orders and makes one attempt to send it, until the
 * deadline. Failures after the file is stored are part of the answer.
 * A file that the scanner cannot scan in time is stored and waits; its orders are not imported and it is not sent.
 * Errors: 415, 413 and 422 for a refused file; 422 at the quota of the person.
 */
export async function receiveUpload(
  deps: UploadDeps,
  { person, file, description, deadline }: NewUpload,
): Promise<UploadAnswer> {
  if (Array.from(description).length > maxUploadDescription)
    throw invalid([fieldError('description', 'description_too_long', { max: maxUploadDescription })])
  const extension = getExtension(file.name, uploadExtensions)
  await checkContent(file.path, extension)
  const { db, files, scanner, log } = deps
  const scan = await scanReceived(scanner, file.path, {
    milliseconds: deadline - scanMargin - performance.now(),
    onInfected: (signature) =>
      log.warn({ user: person.userId, name: file.name, signature }, 'Refused an infected upload'),
  })
  const workbook = extension === 'xlsx' || extension === 'xls' ? extension : null
  if (workbook !== null && scan.state === 'clean')
    await refuseOrdersOverQuota(deps, { path: file.path, extension: workbook }, person.userId)
  const row = {
    user_id: person.userId,
    name: file.name,
    extension,
    size: file.size,
    sha256: file.sha256,
    description: description === '' ? null : description,
    ...(scan.state === 'waiting' && { status: 'scanning' as const, last_error: scan.reason }),
  }
  await scheduleFileRemoval(db, file.sha256)
  let path: string | undefined
  const storeUpload = () =>
    inTransaction(db, async (trx) => {
      const storedId = await insertOnce(trx, async () => {
        const uploadId = await insertUpload(trx, row, firstAttemptSeconds)
        await refuseUploadOverQuota(trx, person.userId, deps.config.quotas)
        return uploadId
      })
      // The file is stored last: the row becomes visible after its file is safe, and a refused upload leaves no file.
      await lockFilesAgainstRemoval(trx)
      // The files may have been moved to another store meanwhile.
      await requireFileStore(trx, files)
      path ??= await files.store(file.path, file.sha256)
      return storedId
    })
  const id = await storeLimit.run(person.userId, storeUpload, {
    timeout: storeQueueTimeout,
    createTimeoutError: createStoreError,
  })
  if (scan.state === 'waiting') return { id, ...describeDelay('scan_pending') }
  return importAndSend(deps, { id, path, workbook, ownerId: person.userId, deadline })
}

interface StoredUpload {
  id: number
  /** Where this process reads the file. */
  path: string | undefined
  /** Null for a file without orders. */
  workbook: 'xlsx' | 'xls' | null
  ownerId: number
  deadline: number
}

/** Imports the orders of a stored upload and makes one attempt to send it, until the deadline. */
async function importAndSend(
  deps: UploadDeps,
  { id, path, workbook, ownerId, deadline }: StoredUpload,
): Promise<UploadAnswer> {
  const importing =
    workbook === null || path === undefined
      ? Promise.resolve(null)
      : importOrders(deps, {
          file: { path, extension: workbook },
          ownerId,
          deadline: deadline - ordersMargin,
        }).catch(answerBusy)
  const sending = firstAttempt(deps, { id, path }, deadline - performance.now())
  // The received file is removed at the end of the request, and both read it.
  await Promise.allSettled([importing, sending])
  const [orders, delivery] = await Promise.all([importing, sending])
  return { id, ...delivery, ...orders }
}

/** The file is stored already, so the answer says that its orders are not read. */
function answerBusy(error: unknown): OrderImportResult {
  if (!(error instanceof AppError) || error.code !== 'workbooks_busy') throw error
  return { imported: 0, skipped: 0, errors: [{ row: 0, field: 'file', ...error.describe() }] }
}
