import { listUploads, uploadContent, uploadFile } from '@karvon/contract/uploads/uploads.ts'
import type { FastifyInstance } from 'fastify'
import { openFileStore } from '../clients/file-store.ts'
import { openTelegram } from '../clients/telegram.ts'
import type { Deps } from '../kit/deps.ts'
import { notFound } from '../kit/errors.ts'
import { answerList } from '../kit/lists/lists.answer.ts'
import { receiveFile } from '../kit/multipart.ts'
import { serve } from '../kit/serve.ts'
import { takeUpload, type TakeOrders } from './uploads.upload.ts'
import { uploadListText } from './uploads.sql.ts'

/** Milliseconds until the answer is on its way: the browser gives up after 5 s, and the way itself takes time. */
const patience = 3700

export function uploadsRoutes(app: FastifyInstance, deps: Deps, takeOrders: TakeOrders): void {
  const { db, pool, config } = deps
  const files = openFileStore(config.dataFolder)
  const telegram = openTelegram(config.telegram)

  serve(app, uploadFile, async ({ request, person }) => {
    const deadline = performance.now() + patience
    await using received = await receiveFile(request, {
      folder: config.dataFolder,
      maxBytes: config.uploadMaxBytes,
      fields: ['description'],
    })
    const { file, fields } = received
    // Awaited here: what was received is removed as soon as this function ends.
    return await takeUpload(
      { db, files, telegram, takeOrders },
      person,
      file,
      fields.description ?? '',
      deadline,
    )
  })

  serve(app, listUploads, ({ query }) => answerList(pool, query, (span) => uploadListText(query, span)))

  serve(app, uploadContent, async ({ params, reply }) => {
    const row = await db
      .selectFrom('uploads')
      .select(['name', 'sha256'])
      .where('id', '=', params.id)
      .executeTakeFirst()
    const kept = row && (await files.read(row.sha256))
    if (row === undefined || kept === undefined || kept === null) throw notFound('upload')
    return reply
      .header('content-type', 'application/octet-stream')
      .header('content-length', kept.size)
      .header('content-disposition', attachment(row.name))
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "sandbox; default-src 'none'")
      .send(kept.stream)
  })
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
