import { Type, type Static } from 'typebox'
import { call } from '../kit/call.ts'
import { Id, Named } from '../kit/field.ts'
import { RowProblem } from '../kit/import.ts'
import { pageOf } from '../kit/page.ts'
import { listQuery } from '../kit/resource.ts'

const time = Type.String({ format: 'date-time' })
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
  errors: Type.Optional(Type.Array(RowProblem)),
})
export type UploadAnswer = Static<typeof UploadAnswer>

/** Multipart: `file` and optional `description`. */
export const uploadFile = call({
  id: 'uploads.upload',
  summary: 'Upload an order file or a document; it is stored before anything else happens',
  method: 'POST',
  path: '/api/parcel/files/upload/',
  guard: 'person',
  consumes: 'multipart',
  answer: UploadAnswer,
})

export const Upload = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  size: Type.Integer({ description: 'Bytes' }),
  description: text,
  user: Type.Union([Named, Type.Null()]),
  status: Type.String({ description: 'sent, queued or refused' }),
  attempts: Type.Integer(),
  last_error: text,
  created_at: time,
})
export type Upload = Static<typeof Upload>

export const listUploads = call({
  id: 'uploads.list',
  summary: 'List uploads and where each stands with Telegram',
  method: 'GET',
  path: '/api/admin/uploads/',
  guard: 'admin',
  query: listQuery(['id', 'created_at', 'name', 'size', 'status', 'attempts'], {
    status: Type.Union([Type.Literal('sent'), Type.Literal('queued'), Type.Literal('refused')]),
    user_id: Type.Integer(),
  }),
  answer: pageOf(Upload),
})

/** The original, as an attachment only. */
export const uploadContent = call({
  id: 'uploads.file',
  summary: 'Download an uploaded file',
  method: 'GET',
  path: '/api/admin/uploads/:id/file',
  guard: 'admin',
  params: Type.Object({ id: Id }),
})

export const uploadCalls = [uploadFile, listUploads, uploadContent]
