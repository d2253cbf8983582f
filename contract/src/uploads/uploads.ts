import { Type, type Static } from 'typebox'
import { call, FilePart } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { RowProblem } from '../lib/import.ts'
import {
  maxLine,
  maxPreviewRows,
  maxRowProblems,
  maxSheetColumns,
  maxUploadDescription,
} from '../lib/limits.ts'
import { pageSchema } from '../lib/page.ts'
import { Reason } from '../lib/problem.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, Day, NullableDateTime, NullableText, nullable, OneOf } from '../lib/schemas.ts'

/** The allowed types of uploads, by extension and by content (specification, section 5). */
export const uploadExtensions = ['pdf', 'xlsx', 'xls', 'doc', 'docx'] as const

/**
 * Why a stored file was not sent at once, in the language of the parcels page. The code is the id of the message. No code
 * is in another catalogue.
 */
export const uploadDelayMessages = {
  scan_pending: 'файл ждёт проверки на вирусы, прочитаем и отправим после неё',
  telegram_missing: 'отправка в Telegram не настроена',
  no_time_left: 'не хватило времени, отправим позже',
  telegram_pause: 'Telegram просит подождать {seconds} с, отправим позже',
  telegram_refusal: 'Telegram не принимает файлы, сообщите администратору',
  telegram_silent: 'Telegram не отвечает, отправим позже',
} as const
export type UploadDelay = keyof typeof uploadDelayMessages

/**
 * `message` is in the language of the parcels page. `code` and `params` say the same for other languages, if the file was not
 * sent. An order file also has `imported`, `skipped` and `errors`.
 */
export const UploadAnswer = Type.Object({
  id: Type.Integer(),
  sent_to_telegram: Type.Boolean(),
  message: Type.String(),
  code: Type.Optional(OneOf(Object.keys(uploadDelayMessages) as UploadDelay[])),
  params: Reason.properties.params,
  imported: Type.Optional(Type.Integer()),
  skipped: Type.Optional(Type.Integer()),
  errors: Type.Optional(Type.Array(RowProblem, { maxItems: maxRowProblems })),
})
export type UploadAnswer = Static<typeof UploadAnswer>

/** Multipart: `file` and optional `description`. */
export const uploadFile = call({
  id: 'uploads.upload',
  summary: 'Upload an order file or a document',
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
 * A preview of an order file: the recognised headings with their columns, the unrecognised headings, the first ten rows
 * as texts by column (`row` counts from 1 after the header row, as in `errors`), the number of rows, the number of rows
 * with errors, and the errors. Without any `recognised` heading, the file is not an order file and is sent as a document.
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

/** Multipart: `file`. The same files are refused as by the upload. */
export const previewFile = call({
  id: 'uploads.preview',
  summary: 'Preview an order file; nothing is stored or sent',
  method: 'POST',
  path: '/api/parcel/files/preview/',
  repeat: 'unkeyed',
  feature: 'order_previews',
  guard: 'person',
  consumes: 'multipart',
  form: Type.Object({ file: FilePart }),
  answer: OrderPreview,
})

/** `scanning`: the upload waits for the virus scanner. Before the scan, its orders are not imported and it is not sent. */
export const uploadStatuses = ['scanning', 'sent', 'queued', 'refused'] as const
const Status = Type.String({ enum: [...uploadStatuses] })

/**
 * `next_at`: the time of the next attempt of a queued upload. `unsure`: the result of an attempt is unknown, so Telegram
 * may have the file although the status is not `sent`, or may have it twice; the caption contains the id.
 * `file_removed_at`: the time when the file was removed after its retention time. The record stays.
 */
export const Upload = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  extension: Type.String(),
  size: Type.Integer({ description: 'Bytes' }),
  description: NullableText,
  user: nullable(Named),
  status: Status,
  attempts: Type.Integer(),
  last_error: NullableText,
  unsure: Type.Boolean(),
  next_at: NullableDateTime,
  sent_at: NullableDateTime,
  created_at: DateTime,
  file_removed_at: NullableDateTime,
})
export type Upload = Static<typeof Upload>

/** start_date and end_date are inclusive days of `created_at`. `search` matches the file's name. */
export const listUploads = call({
  id: 'uploads.list',
  summary: 'List uploads with their sending status',
  method: 'GET',
  path: '/api/admin/uploads/',
  feature: 'telegram_queue',
  guard: 'admin',
  query: listQuery(['id', 'created_at', 'name', 'size', 'status', 'attempts', 'next_at', 'sent_at'], {
    id: Id,
    created_at: DateTime,
    name: Type.String({ maxLength: maxLine }),
    extension: OneOf(uploadExtensions),
    size: Id,
    status: Status,
    attempts: Id,
    sent_at: DateTime,
    user_id: Id,
    unsure: Type.Boolean(),
    start_date: Day,
    end_date: Day,
  }),
  answer: pageSchema(Upload),
})

/** 409 if the upload was sent, is being sent, is infected, or waits for the virus scanner; 410 without its file. */
export const retryUpload = call({
  id: 'uploads.retry',
  summary: 'Send a queued upload now, or retry a refused one',
  method: 'POST',
  path: '/api/admin/uploads/:id/retry/',
  feature: 'telegram_queue',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: Upload,
})

/** The file as an attachment. 409 if it is infected or waits for the virus scanner; 410 if it was removed. */
export const uploadContent = call({
  id: 'uploads.file',
  summary: 'Download an uploaded file',
  method: 'GET',
  path: '/api/admin/uploads/:id/file',
  writes: true,
  feature: 'telegram_queue',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  mediaType: 'application/octet-stream',
})

export const uploadCalls = [uploadFile, previewFile, listUploads, retryUpload, uploadContent]
