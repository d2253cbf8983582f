import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { causeTypes, StoredCurrency, SignedMoney } from '../lib/money.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, Day, NullableText, OneOf, nullable } from '../lib/schemas.ts'

/**
 * `amount` is positive for what the person earned. `lead`: the external id, for an entry of a lead. `lead_id`: its id, null
 * if the lead is not shown to the person, because the role has no access to its source or the stream got another owner.
 * `act_id`, `orderno`: of an entry of an act line. `reason`: of an adjustment.
 */
const OwnEntry = Type.Object({
  id: Type.Integer(),
  created_at: DateTime,
  currency: Type.String(),
  amount: Type.Number(),
  cause_type: OneOf(causeTypes),
  cause_id: Type.Integer(),
  available_on: nullable(Day),
  on_hold: Type.Boolean(),
  lead: NullableText,
  lead_id: nullable(Type.Integer()),
  act_id: nullable(Type.Integer()),
  orderno: NullableText,
  reason: NullableText,
})

/**
 * The figures of a balance whose entries can be listed. `earned`: all but withdrawals. `available`: those that are not on
 * hold, paid withdrawals included; their sum is what is available and requested.
 */
export const balanceParts = ['earned', 'on_hold', 'available'] as const
export type BalancePart = (typeof balanceParts)[number]

/**
 * start_date and end_date are inclusive days of `created_at`. `statement_id`: the entries of an own statement. `search` matches
 * the lead, the order number and the reason.
 */
export const listOwnEntries = call({
  id: 'money.entries',
  summary: 'List the entries of your account',
  method: 'GET',
  path: '/api/user/entries/',
  feature: 'payouts',
  guard: 'person',
  query: listQuery(['id', 'amount', 'created_at'], {
    id: Id,
    created_at: DateTime,
    currency: StoredCurrency,
    amount: SignedMoney,
    cause_type: OneOf(causeTypes),
    cause_id: Id,
    part: OneOf(balanceParts),
    statement_id: Id,
    start_date: Day,
    end_date: Day,
  }),
  answer: pageSchema(OwnEntry),
})

/**
 * A closed period of a person's account. closing = opening + earned + reversed + fees + adjusted + paid. `earned`: from
 * leads and act lines; `reversed`: earnings that were cancelled later; `fees`: of parcels for which the courier collected less
 * than its fees, such as prepaid ones; `paid`: withdrawals, negative. `entries`: their number.
 */
export const Statement = Type.Object({
  id: Type.Integer(),
  user: Named,
  currency: Type.String(),
  start_date: Day,
  end_date: Day,
  opening: Type.Number(),
  earned: Type.Number(),
  reversed: Type.Number(),
  fees: Type.Number(),
  adjusted: Type.Number(),
  paid: Type.Number(),
  closing: Type.Number(),
  entries: Type.Integer(),
  closed_by: Named,
  closed_at: DateTime,
})
export type Statement = Static<typeof Statement>

const statementKeys = ['id', 'start_date', 'closed_at']
const statementFilters = {
  id: Id,
  currency: StoredCurrency,
  start_date: Day,
  end_date: Day,
  opening: SignedMoney,
  earned: SignedMoney,
  reversed: SignedMoney,
  fees: SignedMoney,
  adjusted: SignedMoney,
  paid: SignedMoney,
  closing: SignedMoney,
  entries: Id,
  closed_at: DateTime,
}
const statementsPath = '/api/admin/statements/'
const ownStatementsPath = '/api/user/statements/'
const statementParams = Type.Object({ id: Id })

/** `search` matches the person's name. */
export const listStatements = call({
  id: 'statements.list',
  summary: 'List the closed statements of all people',
  method: 'GET',
  path: statementsPath,
  feature: 'payouts',
  guard: 'admin',
  query: listQuery(statementKeys, { ...statementFilters, user_id: Id }),
  answer: pageSchema(Statement),
})

/** 422 unless the period is over; 409 if it overlaps with a closed one. */
export const closeStatement = call({
  id: 'statements.close',
  summary: 'Close a period of a person’s account',
  method: 'POST',
  path: statementsPath,
  feature: 'payouts',
  guard: 'admin',
  status: 201,
  body: Type.Object({ user_id: Id, currency: StoredCurrency, start_date: Day, end_date: Day }),
  answer: Statement,
})

const statementEntryKeys = ['id', 'amount', 'created_at']

export const listStatementEntries = call({
  id: 'statements.entries',
  summary: 'List the entries of a statement',
  method: 'GET',
  path: `${statementsPath}:id/entries/`,
  feature: 'payouts',
  guard: 'admin',
  params: statementParams,
  query: listQuery(statementEntryKeys),
  answer: pageSchema(OwnEntry),
})

/** `search` matches the currency and the days. */
export const listOwnStatements = call({
  id: 'money.statements',
  summary: 'List your closed statements',
  method: 'GET',
  path: ownStatementsPath,
  feature: 'payouts',
  guard: 'person',
  query: listQuery(statementKeys, statementFilters),
  answer: pageSchema(Statement),
})

export const listOwnStatementEntries = call({
  id: 'money.statement.entries',
  summary: 'List the entries of one of your statements',
  method: 'GET',
  path: `${ownStatementsPath}:id/entries/`,
  feature: 'payouts',
  guard: 'person',
  params: statementParams,
  query: listQuery(statementEntryKeys),
  answer: pageSchema(OwnEntry),
})

export const statementCalls = [
  listOwnEntries,
  listStatements,
  closeStatement,
  listStatementEntries,
  listOwnStatements,
  listOwnStatementEntries,
]
