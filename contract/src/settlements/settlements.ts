import { Type, type Static } from 'typebox'
import { call, FilePart } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { ImportAnswer, ImportKey } from '../lib/import.ts'
import { maxLine, maxText } from '../lib/limits.ts'
import { SignedMoney } from '../lib/money.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, Day, nullable, NullableText, visibleText } from '../lib/schemas.ts'
import { differenceKinds, SettlementKind } from './differences.ts'

const nullableDay = nullable(Day)

const ownAct = {
  id: Type.Integer(),
  number: Type.String(),
  act_date: Day,
  paid_at: nullable(Day),
  collected: Type.Number(),
  fees: Type.Number(),
  due: Type.Number({ description: 'collected - fees - correction' }),
  currency: Type.String(),
  lines: Type.Integer(),
}

/**
 * A settlement act of the courier: what it collected, its fees, and what it owes for them (`due`). `paid_at` is null until
 * the courier has paid; `paid` is `due` from then on. `correction` is what the courier adds to its fees. `difference` is how
 * much more than expected is due, by the open differences and by what no line of the act explains. `differences` counts the
 * open ones. `voided_at`: an admin voided the act, so it has no lines and no sums. `unlisted_at`: since when the courier no longer
 * lists the act that it gave; null for an act that it lists, and for one of a file.
 */
export const SettlementAct = Type.Object({
  ...ownAct,
  code: NullableText,
  courier_account_id: Type.Integer(),
  courier_account: Named,
  correction: Type.Number(),
  paid: Type.Number(),
  difference: Type.Number(),
  differences: Type.Integer(),
  pay_type: NullableText,
  has_signed_copy: nullable(Type.Boolean()),
  voided_at: nullable(DateTime),
  unlisted_at: nullable(DateTime),
  created_at: DateTime,
  updated_at: DateTime,
})
export type SettlementAct = Static<typeof SettlementAct>

const ownLine = {
  id: Type.Integer(),
  orderno: Type.String(),
  parcel_id: nullable(Type.Integer()),
  order_date: nullableDay,
  delivered_date: nullableDay,
  collected: Type.Number(),
  delivery_fee: Type.Number(),
  cash_fee: Type.Number(),
  fee: Type.Number({ description: 'delivery_fee + cash_fee' }),
  due: Type.Number(),
  pay_type: NullableText,
  status_title: NullableText,
}

/** A line of an act: one order. `differences` has the kinds of its open differences. */
export const SettlementLine = Type.Object({
  ...ownLine,
  code: NullableText,
  company: NullableText,
  declared_value: nullable(Type.Number()),
  weight: nullable(Type.Number()),
  differences: Type.Array(SettlementKind, { maxItems: differenceKinds.length }),
})
export type SettlementLine = Static<typeof SettlementLine>

/** An act with the sums of a person's own lines alone. */
export const OwnSettlementAct = Type.Object(ownAct)
export type OwnSettlementAct = Static<typeof OwnSettlementAct>
export const OwnSettlementLine = Type.Object(ownLine)
export type OwnSettlementLine = Static<typeof OwnSettlementLine>

const Line = Type.String({ maxLength: maxLine })
const actFilters = {
  id: Id,
  number: Line,
  act_date: Day,
  paid_at: Day,
  start_date: Day,
  end_date: Day,
  is_paid: Type.Boolean(),
}
const params = Type.Object({ id: Id })
const lineKeys = ['id', 'orderno', 'parcel_id', 'delivered_date', 'collected', 'fee', 'due']
const lineFilters = {
  id: Id,
  order_date: Day,
  delivered_date: Day,
  orderno: Line,
  parcel_id: Id,
  collected: SignedMoney,
  delivery_fee: SignedMoney,
  cash_fee: SignedMoney,
  fee: SignedMoney,
  due: SignedMoney,
}

/**
 * start_date and end_date are inclusive days of `act_date`; `search` matches a part of the number. A voided act is neither paid nor
 * unpaid. `is_unlisted` finds the acts that the courier no longer lists and that are not voided.
 */
export const listSettlements = call({
  id: 'settlements.list',
  summary: 'List the settlement acts of the courier',
  method: 'GET',
  path: '/api/admin/settlements/',
  feature: 'settlements',
  guard: 'admin',
  query: listQuery(
    ['id', 'number', 'act_date', 'paid_at', 'collected', 'fees', 'due', 'courier_account_id'],
    {
      ...actFilters,
      collected: SignedMoney,
      fees: SignedMoney,
      due: SignedMoney,
      correction: SignedMoney,
      lines: Id,
      code: Line,
      pay_type: Line,
      has_signed_copy: Type.Boolean(),
      voided_at: DateTime,
      unlisted_at: DateTime,
      created_at: DateTime,
      updated_at: DateTime,
      courier_account_id: Id,
      has_differences: Type.Boolean(),
      is_unlisted: Type.Boolean(),
    },
  ),
  answer: pageSchema(SettlementAct),
})

export const getSettlement = call({
  id: 'settlements.get',
  summary: 'Read a settlement act',
  method: 'GET',
  path: '/api/admin/settlements/:id/',
  feature: 'settlements',
  guard: 'admin',
  params,
  answer: SettlementAct,
})

/** `kind` finds the lines with an open difference of that kind; `search` matches a part of the order number. */
export const listSettlementLines = call({
  id: 'settlements.lines',
  summary: 'List the lines of a settlement act',
  method: 'GET',
  path: '/api/admin/settlements/:id/lines/',
  feature: 'settlements',
  guard: 'admin',
  params,
  query: listQuery(lineKeys, { ...lineFilters, kind: SettlementKind }),
  answer: pageSchema(SettlementLine),
})

/**
 * Removes the lines and the sums of an act, and takes its money back. The next import of the act restores it, and a sync that finds it in
 * the courier's list again. 409 for an act that the courier lists, because the next sync would store it again, and for a voided act. Of
 * an act with more than 5,000 lines a job removes the others; the act then still has them, and their sums, in the answer.
 */
export const voidSettlement = call({
  id: 'settlements.void',
  summary:
    'Void a settlement act that was imported by mistake or that the courier no longer lists, with a reason',
  method: 'POST',
  path: '/api/admin/settlements/:id/void/',
  feature: 'settlements',
  guard: 'admin',
  params,
  body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: maxText, pattern: visibleText }) }),
  answer: SettlementAct,
})

/**
 * Multipart: `file` (csv, xlsx or xls), `courier_account_id`, and optionally a `key` (a UUID) to request the progress. Each
 * row is a line of an act. An act with a wrong row is not stored.
 */
export const importSettlements = call({
  id: 'settlements.import',
  summary: 'Import settlement acts from a spreadsheet',
  method: 'POST',
  path: '/api/admin/settlements/import/',
  repeat: 'again',
  feature: 'settlements',
  guard: 'admin',
  consumes: 'multipart',
  form: Type.Object({ file: FilePart, courier_account_id: Id, key: Type.Optional(ImportKey) }),
  answer: ImportAnswer,
})

export const listOwnSettlements = call({
  id: 'settlements.own',
  summary: 'List the settlement acts that have your parcels, with the sums of their lines',
  method: 'GET',
  path: '/api/user/settlements/',
  feature: 'settlements',
  guard: 'person',
  query: listQuery(['id', 'number', 'act_date', 'paid_at'], actFilters),
  answer: pageSchema(OwnSettlementAct),
})

/** 404 for an act without own parcels. */
export const getOwnSettlement = call({
  id: 'settlements.own-act',
  summary: 'Read a settlement act with the sums of the lines of your parcels',
  method: 'GET',
  path: '/api/user/settlements/:id/',
  feature: 'settlements',
  guard: 'person',
  params,
  answer: OwnSettlementAct,
})

export const listOwnSettlementLines = call({
  id: 'settlements.own-lines',
  summary: 'List the lines of your parcels in a settlement act',
  method: 'GET',
  path: '/api/user/settlements/:id/lines/',
  feature: 'settlements',
  guard: 'person',
  params,
  query: listQuery(lineKeys, lineFilters),
  answer: pageSchema(OwnSettlementLine),
})

export const settlementCalls = [
  listSettlements,
  getSettlement,
  listSettlementLines,
  voidSettlement,
  importSettlements,
  listOwnSettlements,
  getOwnSettlement,
  listOwnSettlementLines,
]
