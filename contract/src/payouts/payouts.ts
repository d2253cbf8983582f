import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { maxBalanceCurrencies, maxLine, maxMoney, maxText } from '../lib/limits.ts'
import { StoredCurrency } from '../lib/money.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import {
  DateTime,
  Day,
  NullableDateTime,
  NullableText,
  OneOf,
  nullable,
  visibleText,
} from '../lib/schemas.ts'

const PositiveMoney = Type.Number({ minimum: 0.01, maximum: maxMoney, multipleOf: 0.01 })

/**
 * A person's money in one currency. earned - paid = on_hold + available + requested. `available` is negative when leads
 * were returned after the payout. `requested`: open withdrawals. `minimum`: by the person's payout terms, in the
 * installation's currency alone.
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

/** The balance in the installation's currency. `others`: those in other currencies, in the order of their codes. */
export const ownBalance = call({
  id: 'money.balance',
  summary: 'Read your balance in each currency',
  method: 'GET',
  path: '/api/user/balance',
  feature: 'payouts',
  guard: 'person',
  answer: Type.Object({
    ...Balance.properties,
    others: Type.Array(Balance, { maxItems: maxBalanceCurrencies }),
  }),
})

export const withdrawalStatuses = ['requested', 'approved', 'sent', 'paid', 'declined', 'cancelled'] as const
export type WithdrawalStatus = (typeof withdrawalStatuses)[number]
/** The statuses of a withdrawal whose amount is kept for it. */
export const openWithdrawalStatuses = [
  'requested',
  'approved',
  'sent',
] as const satisfies readonly WithdrawalStatus[]

/**
 * A request to be paid. `details`: the masked payment details. `registry_id`: the payment registry with which it was sent to the bank,
 * at `sent_at` by `sent_by`. `reference`: of the payment at the bank.
 */
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
  registry_id: nullable(Type.Integer()),
  sent_by: nullable(Named),
  sent_at: NullableDateTime,
  paid_on: nullable(Day),
  reference: NullableText,
})
export type Withdrawal = Static<typeof Withdrawal>

const withdrawalKeys = ['id', 'requested_at', 'amount', 'status', 'paid_on']
/** `status` 'open' finds those that are requested, approved or sent. */
const withdrawalFilters = {
  id: Id,
  withdrawal_id: Id,
  requested_at: DateTime,
  decided_at: DateTime,
  registry_id: Id,
  paid_on: Day,
  details: Type.String({ maxLength: maxLine }),
  reference: Type.String({ maxLength: maxLine }),
  amount: PositiveMoney,
  status: OneOf(['open', ...withdrawalStatuses]),
  currency: StoredCurrency,
  start_date: Day,
  end_date: Day,
}

/**
 * start_date and end_date are inclusive days of `requested_at`. `search` matches the masked payment details, the reference and the
 * reason.
 */
export const listOwnWithdrawals = call({
  id: 'money.withdrawals',
  summary: 'List your withdrawals',
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
  summary: 'Request a withdrawal',
  method: 'POST',
  path: '/api/user/withdrawals/',
  feature: 'payouts',
  guard: 'person',
  status: 201,
  body: Type.Object({
    currency: Type.Optional(StoredCurrency),
    amount: PositiveMoney,
    details: Type.String({ minLength: 4, maxLength: maxLine, pattern: visibleText }),
  }),
  answer: Withdrawal,
})

export const withdrawalParams = Type.Object({ id: Id })

/** 409 unless the request is open and not approved. */
export const cancelWithdrawal = call({
  id: 'money.withdrawal.cancel',
  summary: 'Cancel one of your requests for a withdrawal',
  method: 'POST',
  path: '/api/user/withdrawals/:id/cancel/',
  feature: 'payouts',
  guard: 'person',
  params: withdrawalParams,
  answer: Withdrawal,
})

export const withdrawalsPath = '/api/admin/withdrawals/'

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

/** 409 unless the withdrawal is requested or approved. The person reads the reason. */
export const declineWithdrawal = call({
  id: 'withdrawals.decline',
  summary: 'Decline a withdrawal, with a reason',
  method: 'POST',
  path: `${withdrawalsPath}:id/decline/`,
  feature: 'payouts',
  guard: 'admin',
  params: withdrawalParams,
  body: Type.Object({
    reason: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: maxText, pattern: visibleText }))),
  }),
  answer: Withdrawal,
})

/**
 * `paid_on` is today by default. 409 unless the withdrawal is approved or sent. 409 for an approved one when the person's balance became
 * too small; of a sent one the money has left already.
 */
export const payWithdrawal = call({
  id: 'withdrawals.pay',
  summary: 'Record that a withdrawal was paid',
  method: 'POST',
  path: `${withdrawalsPath}:id/pay/`,
  feature: 'payouts',
  guard: 'admin',
  params: withdrawalParams,
  body: Type.Object({
    paid_on: Type.Optional(nullable(Day)),
    reference: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: maxLine, pattern: visibleText })),
    ),
  }),
  answer: Withdrawal,
})

export const payoutCalls = [
  ownBalance,
  listOwnWithdrawals,
  requestWithdrawal,
  cancelWithdrawal,
  listWithdrawals,
  approveWithdrawal,
  declineWithdrawal,
  payWithdrawal,
]
