import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { format, type FileFormat } from '../lib/format.ts'
import { ImportKey } from '../lib/import.ts'

const count = Type.Integer()
const time = Type.String({ format: 'date-time' })

/**
 * An import as it goes on; its counts are those of the rows that are in so far. One whose process died is
 * `failed` a minute later: what it took in stays, and the same file once more takes the rest.
 */
export const ImportProgress = Type.Object({
  key: Type.String(),
  kind: Type.Union([Type.Literal('leads'), Type.Literal('parcels')]),
  file: Type.String({ description: "The file's name" }),
  status: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')]),
  size: Type.Integer({ description: 'Bytes' }),
  bytes_read: Type.Integer({
    description: 'Of size; of a workbook the share of its rows, where it says beforehand how many they are',
  }),
  imported: count,
  updated: count,
  unchanged: count,
  skipped: count,
  error: Type.Union([Type.String(), Type.Null()], { description: 'One sentence where it failed' }),
  started_at: time,
  finished_at: Type.Union([time, Type.Null()]),
})
export type ImportProgress = Static<typeof ImportProgress>

/** 404 until the file has been received and judged. */
export const getImport = call({
  id: 'imports.get',
  summary: 'How far an import is, by the key that was sent along with its file',
  method: 'GET',
  path: '/api/admin/imports/:key/',
  feature: 'imports',
  guard: 'admin',
  params: Type.Object({ key: ImportKey }),
  answer: ImportProgress,
})

/** The file that a template answers where its query names none. */
export const templateFormat: FileFormat = 'xlsx'

const query = Type.Object({ format: Type.Optional(format) })

export const leadsTemplate = call({
  id: 'imports.leads-template',
  summary: 'A file of leads to fill in: the columns, and a row or two to show them',
  method: 'GET',
  path: '/api/admin/leads/template/',
  feature: 'imports',
  guard: 'admin',
  query,
})

export const parcelsTemplate = call({
  id: 'imports.parcels-template',
  summary: 'A file of parcels with their histories to fill in',
  method: 'GET',
  path: '/api/admin/parcels/template/',
  feature: 'imports',
  guard: 'admin',
  query,
})

/** An order file is uploaded as a workbook; the csv is for the import of an admin. */
export const ordersTemplate = call({
  id: 'imports.orders-template',
  summary: 'An order file to fill in',
  method: 'GET',
  path: '/api/parcel/files/template/',
  feature: 'imports',
  guard: 'person',
  query,
})

export const importCalls = [getImport, leadsTemplate, parcelsTemplate, ordersTemplate]
