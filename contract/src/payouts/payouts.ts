import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { maxHoldDays, maxLine, maxMoney, maxText } from '../lib/limits.ts'
import { causeTypes, Currency } from '../lib/money.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, Day, NullableDateTime, NullableText, OneOf, nullable } from '../lib/schemas.ts'

const Money = Type.Number({ minimum: 0, maximum: maxMoney, multipleOf: 0.01 })
const PositiveMoney = Type.Number({ minimum: 0.01, maximum: maxMoney, multipleOf: 0.01 })
const maxShare = 100

/** When a person earns a lead: as soon as it is sold, or once its parcel is delivered too. */
export const earningStates = ['sold', 'delivered'] as const

/**
 * What a person earns by a lead: `share` percent of its payout, or `fixed` in its currency. `hold_days`: the days
 * until the money is available. `user`, `offer`: whom and what the terms are for; null: all. `valid_from`: the first day
 * of the leads that the terms are for. Person and offer are more specific than person, offer, and neither, in this order.
 */
export const PayoutTerms = Type.Object({
  id: Type.Integer(),
  user: nullable(Named),
  offer: nullable(Named),
  valid_from: Day,
  earned_at: OneOf(earningStates),
  share: nullable(Type.Number()),
  fixed: nullable(Type.Number()),
  hold_days: Type.Integer(),
  minimum: Type.Number(),
  created_by: nullable(Named),
  created_at: DateTime,
})
export type PayoutTerms = Static<typeof PayoutTerms>

const termsPath = '/api/admin/payout-terms/'

/** `search` matches the names of the person and the offer. */
export const listPayoutTerms = call({
  id: 'payout-terms.list',
  summary: 'List the payout terms, old ones included',
  method: 'GET',
  path: termsPath,
  feature: 'payouts',
  guard: 'admin',
  query: listQuery(['id', 'valid_from', 'created_at'], { user_id: Id, offer_id: Id }),
  answer: pageSchema(PayoutTerms),
})

/** Exactly one of `share` and `fixed`. 422 unless `valid_from` is a later day than today; 409 for a second one. */
export const createPayoutTerms = call({
  id: 'payout-terms.create',
  summary: 'Set payout terms from a later day on',
  method: 'POST',
  path: termsPath,
  feature: 'payouts',
  guard: 'admin',
  status: 201,
  body: Type.Object({
    user_id: Type.Optional(nullable(Id)),
    offer_id: Type.Optional(nullable(Id)),
    valid_from: Day,
    earned_at: OneOf(earningStates),
    share: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: maxShare, multipleOf: 0.01 }))),
    fixed: Type.Optional(nullable(Money)),
    hold_days: Type.Integer({ minimum: 0, maximum: maxHoldDays }),
    minimum: Money,
  }),
  answer: PayoutTerms,
})

/** 409 for terms that are valid already. */
export const deletePayoutTerms = call({
  id: 'payout-terms.delete',
  summary: 'Delete payout terms that are not valid yet',
  method: 'DELETE',
  path: `${termsPath}:id/`,
  feature: 'payouts',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: Type.Object({ id: Type.Integer() }),
})

/**
 * A person's money in one currency. earned - paid = on_hold + available + requested. `available` is negative when leads
 * were returned after the payout. `requested`: open withdrawals. `minimum`: by the person's payout terms.
 */
export const Balance = Type.Object({
  currency: Type.String(),
  earned: Type.Number(),
  on_hold: Type.Number(),
  available: Type.Number(),
  requested: Type.Number(),
  paid: Type.Number(),
  minimum: Type.Number(),
})
export type Balance = Static<typeof Balance>

/** The balance in the installation's currency. `others`: those in other currencies. */
export const ownBalance = call({
  id: 'money.balance',
  summary: 'The own balance in each currency',
  method: 'GET',
  path: '/api/user/balance',
  feature: 'payouts',
  guard: 'person',
  answer: Type.Object({ ...Balance.properties, others: Type.Array(Balance) }),
})

/** `amount` is positive for what the person earned. `lead`: the external id, for an entry of a lead. */
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
})

/** start_date and end_date are inclusive days of `created_at`. */
export const listOwnEntries = call({
  id: 'money.entries',
  summary: 'List the entries of the own account',
  method: 'GET',
  path: '/api/user/entries/',
  feature: 'payouts',
  guard: 'person',
  query: listQuery(['id', 'created_at'], { currency: Currency, start_date: Day, end_date: Day }),
  answer: pageSchema(OwnEntry),
})

export const withdrawalStatuses = ['requested', 'approved', 'paid', 'declined', 'cancelled'] as const
export type WithdrawalStatus = (typeof withdrawalStatuses)[number]

/** A request to be paid. `details`: the masked payment details. `reference`: of the payment at the bank. */
export const Withdrawal = Type.Object({
  id: Type.Integer(),
  user: Named,
  currency: Type.String(),
  amount: Type.Number(),
  status: OneOf(withdrawalStatuses),
  details: Type.String(),
  requested_at: DateTime,
  decided_by: nullable(Named),
  decided_at: NullableDateTime,
  decline_reason: NullableText,
  paid_on: nullable(Day),
  reference: NullableText,
})
export type Withdrawal = Static<typeof Withdrawal>

const withdrawalKeys = ['id', 'requested_at', 'amount', 'status', 'paid_on']
const withdrawalFilters = {
  withdrawal_id: Id,
  status: OneOf(withdrawalStatuses),
  currency: Currency,
  start_date: Day,
  end_date: Day,
}

/** start_date and end_date are inclusive days of `requested_at`. */
export const listOwnWithdrawals = call({
  id: 'money.withdrawals',
  summary: 'List the own withdrawals',
  method: 'GET',
  path: '/api/user/withdrawals/',
  feature: 'payouts',
  guard: 'person',
  query: listQuery(withdrawalKeys, withdrawalFilters),
  answer: pageSchema(Withdrawal),
})

/** Without `currency` in that of the installation. 409 above the available amount, below the minimum, and with too many open requests. */
export const requestWithdrawal = call({
  id: 'money.withdraw',
  summary: 'Ask for a payout',
  method: 'POST',
  path: '/api/user/withdrawals/',
  feature: 'payouts',
  guard: 'person',
  status: 201,
  body: Type.Object({
    currency: Type.Optional(Currency),
    amount: PositiveMoney,
    details: Type.String({ minLength: 4, maxLength: maxLine }),
  }),
  answer: Withdrawal,
})

const withdrawalParams = Type.Object({ id: Id })

/** 409 unless the request is open and not approved. */
export const cancelWithdrawal = call({
  id: 'money.withdrawal.cancel',
  summary: 'Take an own request back',
  method: 'POST',
  path: '/api/user/withdrawals/:id/cancel/',
  feature: 'payouts',
  guard: 'person',
  params: withdrawalParams,
  answer: Withdrawal,
})

const withdrawalsPath = '/api/admin/withdrawals/'

/** start_date and end_date are inclusive days of `requested_at`. `search` matches the person's name. */
export const listWithdrawals = call({
  id: 'withdrawals.list',
  summary: 'List the withdrawals of all people',
  method: 'GET',
  path: withdrawalsPath,
  feature: 'payouts',
  guard: 'admin',
  query: listQuery(withdrawalKeys, { ...withdrawalFilters, user_id: Id }),
  answer: pageSchema(Withdrawal),
})

/** 409 unless the request is open, and when the person's balance became too small. */
export const approveWithdrawal = call({
  id: 'withdrawals.approve',
  summary: 'Approve a withdrawal for payment',
  method: 'POST',
  path: `${withdrawalsPath}:id/approve/`,
  feature: 'payouts',
  guard: 'admin',
  params: withdrawalParams,
  answer: Withdrawal,
})

/** 409 unless the withdrawal is requested or approved. */
export const declineWithdrawal = call({
  id: 'withdrawals.decline',
  summary: 'Decline a withdrawal with a reason',
  method: 'POST',
  path: `${withdrawalsPath}:id/decline/`,
  feature: 'payouts',
  guard: 'admin',
  params: withdrawalParams,
  body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: maxText }) }),
  answer: Withdrawal,
})

/** 409 unless the withdrawal is approved, and when the person's balance became too small. */
export const payWithdrawal = call({
  id: 'withdrawals.pay',
  summary: 'Record that a withdrawal was paid',
  method: 'POST',
  path: `${withdrawalsPath}:id/pay/`,
  feature: 'payouts',
  guard: 'admin',
  params: withdrawalParams,
  body: Type.Object({ paid_on: Day, reference: Type.String({ minLength: 1, maxLength: maxLine }) }),
  answer: Withdrawal,
})

const RegistryRow = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  details: Type.String(),
  amount: Type.Number(),
  currency: Type.String(),
})

/** The approved withdrawals with their full payment details, for the bank. Each reading is in the audit log. */
export const listPaymentRegistry = call({
  id: 'withdrawals.registry',
  summary: 'The approved withdrawals with their payment details',
  method: 'GET',
  path: `${withdrawalsPath}registry/`,
  feature: 'payouts',
  guard: 'admin',
  query: listQuery(['id', 'amount'], { currency: Currency }),
  answer: pageSchema(RegistryRow),
})

/**
 * A closed period of a person's account. closing = opening + earned + reversed + adjusted + paid. `earned`: positive
 * entries; `reversed`: leads and act lines that were taken back; `paid`: withdrawals, negative. `entries`: their number.
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
  adjusted: Type.Number(),
  paid: Type.Number(),
  closing: Type.Number(),
  entries: Type.Integer(),
  closed_by: Named,
  closed_at: DateTime,
})
export type Statement = Static<typeof Statement>

const statementKeys = ['id', 'start_date', 'closed_at']
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
  query: listQuery(statementKeys, { user_id: Id, currency: Currency }),
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
  body: Type.Object({ user_id: Id, currency: Currency, start_date: Day, end_date: Day }),
  answer: Statement,
})

const statementEntryKeys = ['id', 'created_at']

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

export const listOwnStatements = call({
  id: 'money.statements',
  summary: 'List the own closed statements',
  method: 'GET',
  path: ownStatementsPath,
  feature: 'payouts',
  guard: 'person',
  query: listQuery(statementKeys, { currency: Currency }),
  answer: pageSchema(Statement),
})

export const listOwnStatementEntries = call({
  id: 'money.statement.entries',
  summary: 'List the entries of an own statement',
  method: 'GET',
  path: `${ownStatementsPath}:id/entries/`,
  feature: 'payouts',
  guard: 'person',
  params: statementParams,
  query: listQuery(statementEntryKeys),
  answer: pageSchema(OwnEntry),
})

export const payoutCalls = [
  listPayoutTerms,
  createPayoutTerms,
  deletePayoutTerms,
  ownBalance,
  listOwnEntries,
  listOwnWithdrawals,
  requestWithdrawal,
  cancelWithdrawal,
  listWithdrawals,
  listPaymentRegistry,
  approveWithdrawal,
  declineWithdrawal,
  payWithdrawal,
  listStatements,
  closeStatement,
  listStatementEntries,
  listOwnStatements,
  listOwnStatementEntries,
]
