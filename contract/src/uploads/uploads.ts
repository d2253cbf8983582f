import { Type, type Static } from 'typebox'
import { call, FilePart } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { RowProblem } from '../lib/import.ts'
import { maxPreviewRows, maxRowProblems, maxSheetColumns, maxUploadDescription } from '../lib/limits.ts'
import { pageOf } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'

const time = Type.String({ format: 'date-time' })
const day = Type.String({ format: 'date' })
const maybeTime = Type.Union([time, Type.Null()])
const text = Type.Union([Type.String(), Type.Null()])

/** What can be uploaded, by extension and by content (specification, section 5). */
export const uploadExtensions = ['pdf', 'xlsx', 'xls', 'doc', 'docx'] as const

/** `imported`, `skipped` and `errors` are there when the file was an order file. */
export const UploadAnswer = Type.Object({
  id: Type.Integer(),
  sent_to_telegram: Type.Boolean(),
  message: Type.String(),
  imported: Type.Optional(Type.Integer()),
  skipped: Type.Optional(Type.Integer()),
  errors: Type.Optional(Type.Array(RowProblem, { maxItems: maxRowProblems })),
})
export type UploadAnswer = Static<typeof UploadAnswer>

/** Multipart: `file` and optional `description`. */
export const uploadFile = call({
  id: 'uploads.upload',
  summary: 'Upload an order file or a document; it is stored before anything else happens',
  method: 'POST',
  path: '/api/parcel/files/upload/',
  repeat: 'again',
  guard: 'person',
  consumes: 'multipart',
  form: Type.Object({
    file: FilePart,
    description: Type.Optional(Type.String({ maxLength: maxUploadDescription })),
  }),
  answer: UploadAnswer,
})

/**
 * An order file as it would be taken: which heading was taken for which column, the headings that were not, the first
 * ten rows below (`row` counts from 1 after the heading, as in `errors`) as texts by column, how many there are, how many
 * of them have errors, and what these are. No `recognised`: it is no order file, and is sent as a document.
 */
export const OrderPreview = Type.Object({
  recognised: Type.Array(Type.Object({ heading: Type.String(), column: Type.String() }), {
    maxItems: maxSheetColumns,
  }),
  unrecognised: Type.Array(Type.String(), { maxItems: maxSheetColumns }),
  rows: Type.Array(Type.Object({ row: Type.Integer(), values: Type.Record(Type.String(), Type.String()) }), {
    maxItems: maxPreviewRows,
  }),
  total: Type.Integer(),
  skipped: Type.Integer(),
  errors: Type.Array(RowProblem, { maxItems: maxRowProblems }),
})
export type OrderPreview = Static<typeof OrderPreview>

/** Multipart: `file`. Refused as the upload refuses it. */
export const previewFile = call({
  id: 'uploads.preview',
  summary: 'See what an order file would be taken for; nothing is stored or sent',
  method: 'POST',
  path: '/api/parcel/files/preview/',
  repeat: 'unkeyed',
  feature: 'order_previews',
  guard: 'person',
  consumes: 'multipart',
  form: Type.Object({ file: FilePart }),
  answer: OrderPreview,
})

/** `scanning`: it waits for the virus scanner, where one is set up, and is neither read nor sent before that. */
export const uploadStatuses = ['scanning', 'sent', 'queued', 'refused'] as const
const Status = Type.String({ enum: [...uploadStatuses] })

/**
 * `next_at`: when a queued one is tried (again). `unsure`: how some attempt ended is not known, so that Telegram may have
 * it although it is not sent, or twice; its id stands in the caption. `file_removed_at`: when its file was removed, since it
 * was older than files are kept; what is left is a record.
 */
export const Upload = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  extension: Type.String(),
  size: Type.Integer({ description: 'Bytes' }),
  description: text,
  user: Type.Union([Named, Type.Null()]),
  status: Status,
  attempts: Type.Integer(),
  last_error: text,
  unsure: Type.Boolean(),
  next_at: maybeTime,
  sent_at: maybeTime,
  created_at: time,
  file_removed_at: maybeTime,
})
export type Upload = Static<typeof Upload>

/** start_date and end_date are inclusive days of `created_at`; `search` looks in the file's name. */
export const listUploads = call({
  id: 'uploads.list',
  summary: 'List uploads and where each stands with Telegram',
  method: 'GET',
  path: '/api/admin/uploads/',
  feature: 'telegram_queue',
  guard: 'admin',
  query: listQuery(['id', 'created_at', 'name', 'size', 'status', 'attempts', 'next_at', 'sent_at'], {
    status: Status,
    user_id: Id,
    unsure: Type.Boolean(),
    start_date: day,
    end_date: day,
  }),
  answer: pageOf(Upload),
})

/** 409 where it was sent, is being sent, is infected, or waits for the virus scanner; 410 without its file. */
export const retryUpload = call({
  id: 'uploads.retry',
  summary: 'Send a queued upload now, or a refused one once more',
  method: 'POST',
  path: '/api/admin/uploads/:id/retry/',
  feature: 'telegram_queue',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: Upload,
})

/** The original, as an attachment only. 409 where it is infected, or waits for the virus scanner; 410 where it was removed. */
export const uploadContent = call({
  id: 'uploads.file',
  summary: 'Download an uploaded file',
  method: 'GET',
  path: '/api/admin/uploads/:id/file',
  feature: 'telegram_queue',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answers: 'application/octet-stream',
})

export const uploadCalls = [uploadFile, previewFile, listUploads, retryUpload, uploadContent]
