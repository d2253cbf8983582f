import {
  listUploads,
  previewFile,
  retryUpload,
  uploadContent,
  uploadFile,
} from '@karvon/contract/uploads/uploads.ts'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import { retryDelivery } from '../../platform/queue/queue.retry.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import { answerList, itemOf } from '../../resources/lists.answer.ts'
import {
  maxPreviews,
  maxPreviewsOfPerson,
  maxUploads,
  maxUploadsOfPerson,
} from '../../platform/limits/limits.ts'
import { receiveFile } from '../../platform/http/multipart.ts'
import { openScanner, requireClean } from '../../platform/files/received-scan.ts'
import { serve, type Ask } from '../../platform/http/serve.ts'
import { Slots } from '../../platform/limits/slots.ts'
import { answerTransaction } from '../../platform/database/transaction.ts'
import { sendParts } from './uploads.job.ts'
import { refuseUnscanned } from './uploads.scan.ts'
import { uploadItem, uploadListText } from './uploads.queries.ts'
import { previewUpload, type PreviewOrders } from './uploads.preview.ts'
import { takeUpload, type RefuseOrders, type TakeOrders } from './uploads.upload.ts'

/** Milliseconds until the answer is on its way: the browser gives up after 5 s, and the way itself takes time. */
const patience = 3700
/** Milliseconds that the scan of a previewed file may take. */
const previewScanWithin = 3000
const uploadSlots = new Slots('uploads', 'uploads', maxUploads, maxUploadsOfPerson)
const previewSlots = new Slots('previews', 'previews', maxPreviews, maxPreviewsOfPerson)

/** What is done with the orders of a workbook. */
interface OrderParts {
  takeOrders: TakeOrders
  refuseOrders: RefuseOrders
  previewOrders: PreviewOrders
}

export function uploadsRoutes(
  app: FastifyInstance,
  deps: Deps,
  { takeOrders, refuseOrders, previewOrders }: OrderParts,
): void {
  const { db, pool, config, bell, log } = deps
  const parts = sendParts(deps)
  const scanner = openScanner(deps.config)

  const upload = async ({ request, person }: Ask<typeof uploadFile>) => {
    const deadline = performance.now() + patience
    await using received = await receiveFile(request, {
      folder: config.dataFolder,
      maxBytes: config.uploadMaxBytes,
      fields: ['description'],
    })
    const { file, fields } = received
    // Awaited here: what was received is removed as soon as this function ends.
    return await takeUpload(
      { ...parts, takeOrders, refuseOrders, scanner, quotas: config.quotas, log },
      person,
      file,
      fields.description ?? '',
      deadline,
    )
  }
  serve(app, uploadFile, (asked) => uploadSlots.hold(asked.person.userId, () => upload(asked)))

  const preview = async ({ request, person }: Ask<typeof previewFile>) => {
    await using received = await receiveFile(request, {
      folder: config.dataFolder,
      maxBytes: config.uploadMaxBytes,
      fields: [],
    })
    const { name } = received.file
    const scan = (path: string) =>
      requireClean(scanner, path, previewScanWithin, (signature) =>
        log.warn({ user: person.userId, name, signature }, 'Refused to preview an infected file'),
      )
    return await previewUpload(previewOrders, scan, received.file)
  }
  serve(app, previewFile, (asked) => previewSlots.hold(asked.person.userId, () => preview(asked)))

  serve(app, listUploads, ({ query }) => answerList(pool, query, (span) => uploadListText(query, span)))

  serve(app, retryUpload, async ({ params, person }) => {
    const answer = await answerTransaction(db, async (trx) => {
      const row = await uploadRow(trx, params.id, 'update')
      refuseUnscanned(row)
      refuseRemoved(row)
      await retryDelivery(trx, 'uploads', params.id, person)
      const one = `select (${uploadItem})::text as item from uploads u where u.id = $1`
      return itemOf(trx, one, params.id)
    })
    bell.emit('uploads')
    return answer
  })

  serve(app, uploadContent, async ({ params, person, reply }) => {
    const row = await uploadRow(db, params.id)
    refuseUnscanned(row)
    refuseRemoved(row)
    const kept = await parts.files.read(row.sha256)
    if (kept === null) throw notFound('upload')
    await audit(db, person, 'download', 'uploads', params.id, null, { name: row.name })
    return reply
      .header('content-type', 'application/octet-stream')
      .header('content-length', kept.size)
      .header('content-disposition', attachment(row.name))
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "sandbox; default-src 'none'")
      .send(kept.stream)
  })
}

/** `lock`: the row stays as it is until the transaction ends. */
async function uploadRow(db: Db, id: number, lock?: 'update') {
  const columns = ['name', 'sha256', 'status', 'infected_with', 'file_removed_at'] as const
  const row = await db
    .selectFrom('uploads')
    .select(columns)
    .where('id', '=', id)
    .$if(lock === 'update', (query) => query.forUpdate())
    .executeTakeFirst()
  if (row === undefined) throw notFound('upload')
  return row
}

function refuseRemoved({ file_removed_at }: { file_removed_at: string | null }): void {
  if (file_removed_at !== null)
    throw new AppError('gone', 'The file was removed: it was older than files are kept.')
}

/** A name in any script (RFC 6266 and 5987), with a plain one beside it for clients that know neither. */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
