import { Type, type Static } from 'typebox'
import { call, FilePart } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { ImportAnswer, ImportKey } from '../lib/import.ts'
import {
  maxCode,
  maxHistoryShown,
  maxLine,
  maxParcelItems,
  maxText,
  maxUnsettledDays,
} from '../lib/limits.ts'
import { SignedMoney } from '../lib/money.ts'
import { Note } from '../lib/note.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import {
  DateTime,
  Day,
  NullableDateTime,
  NullableText,
  nullable,
  OneOf,
  visibleText,
} from '../lib/schemas.ts'
import { countProblems, ParcelProblem, noProgressDays } from './problems.ts'

const number = nullable(Type.Number())

/** The normalised codes of a parcel's status. */
export const parcelCodes = ['PENDING', 'PROCESSING', 'IN_TRANSIT', 'DELIVERED', 'RETURNED'] as const
export type ParcelCode = (typeof parcelCodes)[number]

/** How the receiver pays. `NO`: nothing is collected. `OPTION`: the receiver chooses between cash and card. */
export const payTypes = ['CASH', 'CARD', 'NO', 'OTHER', 'OPTION'] as const
export type PayType = (typeof payTypes)[number]

const ParcelStatus = Type.Object({ code: Type.String(), title: Type.String(), eventtime: DateTime })

/** One item of a parcel. `weight` in kg and `price` are of one piece. */
const ParcelItem = Type.Object({
  name: NullableText,
  code: NullableText,
  article: NullableText,
  barcode: NullableText,
  quantity: number,
  weight: number,
  price: number,
})
export type ParcelItem = Static<typeof ParcelItem>

/**
 * Weight in kg; amounts in `currency`, which is the installation's. `date` is the order's day. `cod_amount` is what the
 * courier collects from the receiver, `settled_at` when a settlement act of the courier has included it.
 */
export const Parcel = Type.Object({
  id: Type.Integer(),
  orderno: Type.String(),
  barcode: NullableText,
  status: ParcelStatus,
  date: Day,
  package: Type.Object({
    type_name: NullableText,
    weight: number,
    quantity: nullable(Type.Integer()),
    service_name: NullableText,
    delivery_price: number,
  }),
  receiver: Type.Object({
    person: NullableText,
    company: NullableText,
    phone: NullableText,
    address: NullableText,
    town: NullableText,
  }),
  owner: nullable(Named),
  problem: nullable(ParcelProblem),
  cod_amount: number,
  pay_type: nullable(OneOf(payTypes)),
  declared_value: number,
  currency: Type.String(),
  courier: Type.Object({ code: NullableText, name: NullableText, phone: NullableText }),
  items: Type.Array(ParcelItem, { maxItems: maxParcelItems }),
  settled_at: NullableDateTime,
})
export type Parcel = Static<typeof Parcel>

/** One event of a parcel's history, newest first; `raw_code` is the courier's own code. */
const ParcelEvent = Type.Object({
  code: Type.String(),
  raw_code: NullableText,
  title: Type.String(),
  eventtime: DateTime,
})
export type ParcelEvent = Static<typeof ParcelEvent>

export const ParcelWithHistory = Type.Object({
  ...Parcel.properties,
  history: Type.Array(ParcelEvent, { maxItems: maxHistoryShown, description: 'Newest first' }),
  history_total: Type.Integer(),
  notes: Type.Array(Note, { maxItems: maxHistoryShown, description: 'Newest first' }),
  notes_total: Type.Integer(),
})
export type ParcelWithHistory = Static<typeof ParcelWithHistory>

const sortKeys = [
  'id',
  'orderno',
  'date',
  'status',
  'eventtime',
  'person',
  'town',
  'weight',
  'delivery_price',
  'cod_amount',
  'pay_type',
  'declared_value',
  'courier',
  'settled_at',
]
const filters = {
  id: Id,
  barcode: Type.String({ maxLength: maxLine }),
  date: Day,
  cod_amount: SignedMoney,
  declared_value: SignedMoney,
  settled_at: DateTime,
  date_from: Day,
  date_to: Day,
  orderno: Type.String({ maxLength: maxLine }),
  status: OneOf(parcelCodes),
  owner_id: Id,
  problem: Type.Union([Type.Literal('any'), ParcelProblem], { description: 'Parcels with this problem' }),
  no_progress_days: noProgressDays,
  pay_type: OneOf(payTypes),
  courier_code: Type.String({ maxLength: maxCode }),
  unsettled_days: Type.Integer({
    minimum: 0,
    maximum: maxUnsettledDays,
    description: 'Minimum days since the delivery of parcels with an amount to collect that is not settled',
  }),
}

/** `status_counts` counts the rows by status code, with all filters except the status. */
export const listParcels = call({
  id: 'parcels.all',
  summary: 'List your parcels; for admins all parcels',
  method: 'GET',
  path: '/api/parcel/parcels/all',
  guard: 'person',
  query: listQuery(sortKeys, filters),
  answer: pageSchema(Parcel, { status_counts: Type.Record(Type.String(), Type.Integer()) }),
})

export const searchParcels = call({
  id: 'parcels.search',
  summary: 'Search parcels by order number, barcode and receiver',
  method: 'GET',
  path: '/api/parcel/parcels/search',
  guard: 'person',
  query: listQuery(sortKeys, filters),
  answer: pageSchema(Parcel),
})

export const getParcel = call({
  id: 'parcels.get',
  summary: 'Read a parcel with its history',
  method: 'GET',
  path: '/api/parcel/parcels/:id',
  guard: 'person',
  params: Type.Object({ id: Id }),
  answer: ParcelWithHistory,
})

export const noteParcel = call({
  id: 'parcels.note',
  summary: 'Add a note to one of your parcels; for admins to any parcel',
  method: 'POST',
  path: '/api/parcel/parcels/:id/notes/',
  feature: 'parcel_problems',
  guard: 'person',
  status: 201,
  params: Type.Object({ id: Id }),
  body: Type.Object({ text: Type.String({ minLength: 1, maxLength: maxText, pattern: visibleText }) }),
  answer: Note,
})

/**
 * Multipart: `file` (csv or xlsx), and optionally a `key` (a UUID) to request the progress. The columns are those of an
 * order file plus `status`, `event_time` and `owner` (username).
 */
export const importParcels = call({
  id: 'parcels.import',
  summary: 'Import parcels and their histories from a csv or xlsx file',
  method: 'POST',
  path: '/api/admin/parcels/import/',
  repeat: 'again',
  feature: 'imports',
  guard: 'admin',
  consumes: 'multipart',
  form: Type.Object({ file: FilePart, key: Type.Optional(ImportKey) }),
  answer: ImportAnswer,
})

export const listParcelEvents = call({
  id: 'parcels.history',
  summary: 'List the history of one of your parcels; for admins of any parcel',
  method: 'GET',
  path: '/api/parcel/parcels/:id/history/',
  feature: 'parcel_problems',
  guard: 'person',
  params: Type.Object({ id: Id }),
  query: listQuery(['eventtime']),
  answer: pageSchema(ParcelEvent),
})

export const listNotes = call({
  id: 'parcels.notes',
  summary: 'List the notes on one of your parcels; for admins on any parcel',
  method: 'GET',
  path: '/api/parcel/parcels/:id/notes/',
  feature: 'parcel_problems',
  guard: 'person',
  params: Type.Object({ id: Id }),
  query: listQuery(['id']),
  answer: pageSchema(Note),
})

export const parcelCalls = [
  listParcels,
  searchParcels,
  countProblems,
  getParcel,
  listParcelEvents,
  listNotes,
  noteParcel,
  importParcels,
]
