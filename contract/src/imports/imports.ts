import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { format, type FileFormat } from '../lib/format.ts'
import { ImportKey } from '../lib/import.ts'
import { DateTime, NullableDateTime, OneOf } from '../lib/schemas.ts'

const count = Type.Integer()

const importKinds = ['leads', 'parcels', 'settlement-acts'] as const
/** The kinds of imported files. */
export type ImportKind = (typeof importKinds)[number]

/**
 * The progress of an import. The counts are those of the imported rows so far. If the process ends, the import is
 * `failed` a minute later. Its rows stay, and another import of the same file imports the rest.
 */
export const ImportProgress = Type.Object({
  key: Type.String(),
  kind: OneOf(importKinds),
  file: Type.String({ description: "The file's name" }),
  status: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')]),
  size: Type.Integer({ description: 'Bytes' }),
  bytes_read: Type.Integer({
    description: 'The part of `size` that is read; for a workbook with a declared row count, by rows',
  }),
  imported: count,
  updated: count,
  unchanged: count,
  skipped: count,
  error: Type.Union([Type.String(), Type.Null()], { description: 'The reason of a failure, one sentence' }),
  started_at: DateTime,
  finished_at: NullableDateTime,
})
export type ImportProgress = Static<typeof ImportProgress>

/** 404 until the file is received and validated. */
export const getImport = call({
  id: 'imports.get',
  summary: 'Read the progress of an import by the key of its form',
  method: 'GET',
  path: '/api/admin/imports/:key/',
  feature: 'imports',
  guard: 'admin',
  params: Type.Object({ key: ImportKey }),
  answer: ImportProgress,
})

/** The default format of a template. */
export const templateFormat: FileFormat = 'xlsx'

const query = Type.Object({ format: Type.Optional(format) })

export const leadsTemplate = call({
  id: 'imports.leads-template',
  summary: 'Download a template for leads: the columns and sample rows',
  method: 'GET',
  path: '/api/admin/leads/template/',
  feature: 'imports',
  guard: 'admin',
  query,
})

export const parcelsTemplate = call({
  id: 'imports.parcels-template',
  summary: 'Download a template for parcels with their histories',
  method: 'GET',
  path: '/api/admin/parcels/template/',
  feature: 'imports',
  guard: 'admin',
  query,
})

/** People upload order files as workbooks. The csv is for the import by an admin. */
export const ordersTemplate = call({
  id: 'imports.orders-template',
  summary: 'Download a template for orders',
  method: 'GET',
  path: '/api/parcel/files/template/',
  feature: 'imports',
  guard: 'person',
  query,
})

export const importCalls = [getImport, leadsTemplate, parcelsTemplate, ordersTemplate]
