import { uploadExtensions, type UploadAnswer } from '@karvon/contract/uploads/uploads.ts'
import { maxUploadDescription } from '@karvon/contract/lib/limits.ts'
import type { RowProblem } from '@karvon/contract/lib/import.ts'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Scanner } from '../../platform/files/clamd.ts'
import type { Quotas } from '../../config.ts'
import { checkContent, extensionOf } from '../../platform/files/content.check.ts'
import { invalid } from '../../platform/http/errors.ts'
import { scanReceived } from '../../platform/files/received-scan.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { keepFilesInPlace } from '../../platform/files/file-lock.ts'
import { insertOnce } from '../../platform/http/idempotency.ts'
import type { ReceivedFile } from '../../platform/http/multipart.ts'
import { refuseUploadOverQuota } from '../quotas/quotas.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { noteStoredFile } from './uploads.retention.ts'
import { firstAttempt, type SendParts } from './uploads.send.ts'

interface Workbook {
  path: string
  extension: 'xlsx' | 'xls'
}

/** Takes the orders of a workbook in for a person; null where it is no order file. */
export type TakeOrders = (
  file: Workbook,
  ownerId: number,
  deadline: number,
) => Promise<{ imported: number; skipped: number; errors: RowProblem[] } | null>

/** 422 `quota_exceeded` for a workbook whose orders do not fit into its owner's quota. */
export type RefuseOrders = (file: Workbook, ownerId: number) => Promise<void>

export interface UploadParts extends SendParts {
  takeOrders: TakeOrders
  refuseOrders: RefuseOrders
  quotas: Quotas
  /** Null where uploads are not scanned. */
  scanner: Scanner | null
  log: FastifyBaseLogger
}

/** Milliseconds that the last batch of orders may take. */
const margin = 700
/** Milliseconds that a scan leaves for the orders and for Telegram. */
const scanMargin = 1500
const waitsForScan = 'файл ждёт проверки на вирусы, прочитаем и отправим после неё'
/** Seconds for which the job leaves a new upload to the request that took it. */
const ownTime = 10

/**
 * Takes one uploaded file: checks and scans it, stores it durably, notes it, then reads its orders and tries once to
 * send it, until `deadline` (on the clock of performance.now). Whatever fails after storing is in the answer.
 * Errors: 415, 413 and 422 of a file that is not taken; 422 `quota_exceeded` where its person may store no more.
 * A file that the scanner cannot judge in time is stored and waits, neither read nor sent.
 */
export async function takeUpload(
  parts: UploadParts,
  person: Identity,
  file: ReceivedFile,
  given: string,
  deadline: number,
): Promise<UploadAnswer> {
  const description = given.trim()
  if (description.length > maxUploadDescription) {
    const message = `Description is longer than ${maxUploadDescription} characters.`
    throw invalid([{ field: 'description', message }])
  }
  const extension = extensionOf(file.name, uploadExtensions)
  await checkContent(file.path, extension)
  const { db, files, scanner, log } = parts
  const scan = await scanReceived(
    scanner,
    file.path,
    deadline - scanMargin - performance.now(),
    (signature) =>
      log.warn({ user: person.userId, name: file.name, signature }, 'Refused an infected upload'),
  )
  const workbook = extension === 'xlsx' || extension === 'xls' ? extension : null
  if (workbook !== null && scan.state === 'clean')
    await parts.refuseOrders({ path: file.path, extension: workbook }, person.userId)
  const row = {
    user_id: person.userId,
    name: file.name,
    extension,
    size: file.size,
    sha256: file.sha256,
    description: description === '' ? null : description,
    next_at: sql<string>`now() + make_interval(secs => ${ownTime})`,
    ...(scan.state === 'waiting' && { status: 'scanning' as const, last_error: scan.reason }),
  }
  await noteStoredFile(db, file.sha256)
  let kept = false
  const id = await inTransaction(db, async (trx) => {
    const stored = await insertOnce(trx, async () => {
      const made = await trx.insertInto('uploads').values(row).returning('id').executeTakeFirstOrThrow()
      await refuseUploadOverQuota(trx, person.userId, parts.quotas)
      return made.id
    })
    // Last: nobody sees the row before its file is safe, and a refused one leaves no file.
    await keepFilesInPlace(trx)
    if (!kept) await files.keep(file.path, file.sha256)
    kept = true
    return stored
  })
  if (scan.state === 'waiting') return { id, sent_to_telegram: false, message: waitsForScan }
  const path = files.pathOf(file.sha256)
  const [orders, sent] = await Promise.all([
    workbook === null
      ? null
      : parts.takeOrders({ path, extension: workbook }, person.userId, deadline - margin),
    firstAttempt(parts, id, deadline - performance.now()),
  ])
  return { id, sent_to_telegram: sent.sent, message: sent.message, ...orders }
}
