import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { maxHistoryShown, maxLine, maxText } from '../lib/limits.ts'
import { SignedMoney } from '../lib/money.ts'
import { Note } from '../lib/note.ts'
import { pageSchema } from '../lib/page.ts'
import { expectedUpdatedAt, listQuery } from '../lib/resource.ts'
import { DateTime, Day, nullable, NullableDateTime, NullableText, OneOf } from '../lib/schemas.ts'

/**
 * Why a line does not agree with its parcel: no parcel of the account has the order number; the collected amount is
 * not the parcel's cash on delivery, or the due is not the collected amount less the fees; the fees are not those of the
 * tariff; an earlier line settled the parcel; the parcel is not delivered. `missing`: a delivered parcel is in no act.
 */
export const differenceKinds = [
  'unknown_order',
  'amount',
  'fee',
  'settled_twice',
  'not_delivered',
  'missing',
] as const
export type SettlementKind = (typeof differenceKinds)[number]
export const SettlementKind = OneOf(differenceKinds)

/** The filters of the list while its address does not have them. */
export const differenceDefaults = { status: 'open' } as const

const Status = OneOf(['open', 'resolved'])
const amount = nullable(Type.Number())

const act = { id: Type.Integer(), number: Type.String(), act_date: Day }

const difference = {
  id: Type.Integer(),
  kind: SettlementKind,
  status: Status,
  orderno: Type.String(),
  parcel_id: nullable(Type.Integer()),
  act: nullable(Type.Object(act)),
  line_id: nullable(Type.Integer()),
  courier_account_id: Type.Integer(),
  courier_account: Named,
  expected: amount,
  actual: amount,
  difference: Type.Number(),
  currency: Type.String(),
  assignee_id: nullable(Type.Integer()),
  assignee: nullable(Named),
  reason: NullableText,
  resolved_by: nullable(Named),
  resolved_at: NullableDateTime,
  notes_total: Type.Integer(),
  created_at: DateTime,
  updated_at: DateTime,
}

/**
 * `difference` is how much more than expected the courier pays because of it. `expected` and `actual` are amounts of its
 * kind, null where the kind has none. Without `resolved_by` a resolved difference was explained by a later act.
 */
export const SettlementDifference = Type.Object(difference)
export type SettlementDifference = Static<typeof SettlementDifference>

/** `settled_by`: of a parcel that is settled twice, the act whose line settled it; null for each other difference. */
export const SettlementDifferenceWithNotes = Type.Object({
  ...difference,
  settled_by: nullable(Type.Object({ ...act, unlisted_at: NullableDateTime })),
  notes: Type.Array(Note, { maxItems: maxHistoryShown, description: 'Newest first' }),
})
export type SettlementDifferenceWithNotes = Static<typeof SettlementDifferenceWithNotes>

/** `assignee_id` 0 finds those without an assignee; `search` matches a part of the order number. */
export const listSettlementDifferences = call({
  id: 'settlement-differences.list',
  summary: 'List the differences between settlement acts, parcels and tariffs',
  method: 'GET',
  path: '/api/admin/settlement-differences/',
  feature: 'settlements',
  guard: 'admin',
  query: listQuery(
    ['id', 'kind', 'status', 'orderno', 'difference', 'assignee_id', 'created_at', 'updated_at'],
    {
      id: Id,
      orderno: Type.String({ maxLength: maxLine }),
      kind: SettlementKind,
      status: Status,
      courier_account_id: Id,
      act_id: Id,
      parcel_id: Id,
      line_id: Id,
      expected: SignedMoney,
      actual: SignedMoney,
      difference: SignedMoney,
      created_at: DateTime,
      updated_at: DateTime,
      resolved_at: DateTime,
      assignee_id: Id,
      start_date: Day,
      end_date: Day,
    },
  ),
  answer: pageSchema(SettlementDifference),
})

export const getSettlementDifference = call({
  id: 'settlement-differences.get',
  summary: 'Read a settlement difference with its notes',
  method: 'GET',
  path: '/api/admin/settlement-differences/:id/',
  feature: 'settlements',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: SettlementDifferenceWithNotes,
})

/**
 * Assigns (`assignee_id`; null removes the assignee), adds a note (`note`), resolves and reopens (`status`). A
 * resolution needs a `note` with the reason. 409 for more than the allowed notes, and if the row is newer than
 * `updated_at`.
 */
export const updateSettlementDifference = call({
  id: 'settlement-differences.update',
  summary: 'Assign, note, resolve or reopen a settlement difference',
  method: 'PUT',
  path: '/api/admin/settlement-differences/:id/',
  feature: 'settlements',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  body: Type.Object({
    status: Type.Optional(Status),
    note: Type.Optional(Type.String({ minLength: 1, maxLength: maxText })),
    assignee_id: Type.Optional(nullable(Id)),
    updated_at: expectedUpdatedAt,
  }),
  answer: SettlementDifferenceWithNotes,
})

export const settlementDifferenceCalls = [
  listSettlementDifferences,
  getSettlementDifference,
  updateSettlementDifference,
]
