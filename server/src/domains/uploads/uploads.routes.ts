import {
  listUploads,
  previewFile,
  retryUpload,
  uploadContent,
  uploadFile,
} from '@karvon/contract/uploads/uploads.ts'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { audit } from '../../platform/audit/audit.ts'
import { retryDelivery } from '../../platform/queue/queue.retry.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import { answerList } from '../../resources/lists.answer.ts'
import {
  maxPreviews,
  maxPreviewsPerPerson,
  maxUploads,
  maxUploadsPerPerson,
} from '../../platform/limits/limits.ts'
import { receiveFile } from '../../platform/http/multipart.ts'
import { requireFileStore } from '../../platform/files/file-store.mark.ts'
import { openScanner, requireClean } from '../../platform/files/received-scan.ts'
import { serve, type CallContext } from '../../platform/http/serve.ts'
import { createHeavyTaskLimit } from '../../platform/limits/heavy-task-limit.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import { createSendDeps } from './uploads.job.ts'
import { refuseUnscanned } from './uploads.scan-status.ts'
import { buildUploadList, readUpload, readUploadRow } from './uploads.queries.ts'
import { previewUpload } from './uploads.preview.ts'
import { receiveUpload } from './uploads.receive.ts'

/** Maximum time to scan a previewed file, in milliseconds. */
const previewScanTimeout = 3000
const uploadLimit = createHeavyTaskLimit({
  kind: 'uploads',
  noun: 'uploads',
  max: maxUploads,
  maxPerPerson: maxUploadsPerPerson,
  isShared: true,
})
const previewLimit = createHeavyTaskLimit({
  kind: 'previews',
  noun: 'previews',
  max: maxPreviews,
  maxPerPerson: maxPreviewsPerPerson,
  isShared: true,
})

export function uploadsRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, config, files, jobTrigger, log } = deps
  const sendDeps = createSendDeps(deps)
  const scanner = openScanner(deps.config)

  const upload = async ({ request, person }: CallContext<typeof uploadFile>) => {
    const deadline = performance.now() + config.uploadAnswerTimeout
    await requireFileStore(db, files)
    await using form = await receiveFile(request, {
      folder: config.dataFolder,
      maxBytes: config.uploadMaxBytes,
      fields: ['description'],
    })
    const { file, fields } = form
    // The await is needed: the received file is removed at the end of this function.
    return await receiveUpload(
      { ...sendDeps, config, scanner, log },
      { person, file, description: (fields.description ?? '').trim(), deadline },
    )
  }
  serve(app, uploadFile, (context) => uploadLimit.run(context.person.userId, () => upload(context)))

  const preview = async ({ request, person }: CallContext<typeof previewFile>) => {
    await using form = await receiveFile(request, {
      folder: config.dataFolder,
      maxBytes: config.uploadMaxBytes,
      fields: [],
    })
    const { name } = form.file
    const scan = (path: string) =>
      requireClean(scanner, path, {
        milliseconds: previewScanTimeout,
        onInfected: (signature) =>
          log.warn({ user: person.userId, name, signature }, 'Refused to preview an infected file'),
      })
    return await previewUpload(scan, form.file)
  }
  serve(app, previewFile, (context) => previewLimit.run(context.person.userId, () => preview(context)))

  serve(app, listUploads, ({ query }) => answerList(pool, query, buildUploadList(query)))

  serve(app, retryUpload, async ({ params, person }) => {
    const answer = await inTransactionStoringAnswer(db, async (trx) => {
      const row = await readUploadRow(trx, params.id, 'update')
      refuseUnscanned(row)
      refuseRemoved(row)
      await retryDelivery(trx, { queue: 'uploads', id: params.id, person })
      return readUpload(trx, params.id)
    })
    jobTrigger.emit('uploads')
    return answer
  })

  serve(app, uploadContent, async ({ params, person, reply }) => {
    const row = await readUploadRow(db, params.id)
    refuseUnscanned(row)
    refuseRemoved(row)
    const file = await files.read(row.sha256)
    if (file === null) {
      await requireFileStore(db, files)
      throw notFound('upload')
    }
    const { name } = row
    const download = { action: 'download', resource: 'uploads', rowId: params.id, after: { name } } as const
    await audit(db, { person, ...download }).catch((error: unknown) => {
      file.stream.destroy()
      throw error
    })
    return sendAttachment(reply, name, file)
  })
}

/** Sends a file that a browser stores and does not open. */
const sendAttachment = (
  reply: FastifyReply,
  name: string,
  { size, stream }: { size: number; stream: Readable },
) =>
  reply
    .header('content-type', 'application/octet-stream')
    .header('content-length', size)
    .header('content-disposition', formatDisposition(name))
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "sandbox; default-src 'none'")
    .send(stream)

function refuseRemoved({ file_removed_at }: { file_removed_at: string | null }): void {
  if (file_removed_at !== null) throw new AppError('upload_removed')
}

/** A content-disposition with a name in any script (RFC 6266 and 5987), and an ASCII name for old clients. */
function formatDisposition(name: string): string {
  const asciiName = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encodedName = encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${asciiName}"; filename*=UTF-8''${encodedName}`
}
