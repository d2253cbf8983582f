import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { maxLine } from '../lib/limits.ts'
import { StoredCurrency, SignedMoney } from '../lib/money.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, NullableDateTime, NullableText, OneOf, nullable } from '../lib/schemas.ts'

/**
 * Why an account has no balance. `not_described`: the description of its network's API has none. `not_read`: no run has read
 * it.
 */
export const missingBalanceReasons = ['not_described', 'not_read'] as const
export type MissingBalanceReason = (typeof missingBalanceReasons)[number]

/**
 * The money of a source credential. `earned`: by the sold leads of its person at its source in `currency`. `paid_out`: the paid
 * withdrawals of the network. `on_hold`: the money of sold leads that the network holds. expected = earned - paid_out - on_hold,
 * difference = balance - expected. `balance`: the network's, read at `money_at`; null with the reason in
 * `balance_missing`.
 */
export const NetworkMoney = Type.Object({
  id: Type.Integer(),
  name: NullableText,
  source: Named,
  user: Named,
  currency: Type.String(),
  earned: Type.Number(),
  paid_out: Type.Number(),
  on_hold: Type.Number(),
  expected: Type.Number(),
  balance: nullable(Type.Number()),
  balance_missing: nullable(OneOf(missingBalanceReasons)),
  difference: nullable(Type.Number()),
  money_at: NullableDateTime,
})
export type NetworkMoney = Static<typeof NetworkMoney>

const path = '/api/admin/network-money/'

/** `search` matches the names of the credential, the source and the person. */
export const listNetworkMoney = call({
  id: 'network-money.list',
  summary: 'Compare the money of each account at a network with its leads',
  method: 'GET',
  path,
  feature: 'network_money',
  guard: 'admin',
  query: listQuery(
    ['id', 'name', 'earned', 'paid_out', 'on_hold', 'expected', 'balance', 'difference', 'money_at'],
    {
      id: Id,
      name: Type.String({ maxLength: maxLine }),
      source_id: Id,
      user_id: Id,
      currency: StoredCurrency,
      earned: SignedMoney,
      paid_out: SignedMoney,
      on_hold: SignedMoney,
      expected: SignedMoney,
      balance: SignedMoney,
      difference: SignedMoney,
      money_at: DateTime,
      has_difference: Type.Boolean(),
    },
  ),
  answer: pageSchema(NetworkMoney),
})

/**
 * Why the network's balance is not the expected one.
 *
 * - `unknown_lead`: the network counts an order that is no lead here.
 * - `other_person`: the network counts an order whose lead belongs to another person or has no owner.
 * - `payout_differs`: both count the lead, with different amounts.
 * - `status_differs`: only one of the two counts the lead; the other has a status that earns nothing, or took the money back.
 * - `lead_not_counted`: we count a lead for which the network has no transaction.
 * - `other_transaction`: an entry of the network that concerns neither an order nor a withdrawal.
 * - `withdrawal_not_listed`: the network debited a withdrawal that is not in its list of withdrawals.
 * - `withdrawal_unpaid`: the network debited a withdrawal that is not paid.
 * - `on_hold`: what the network holds for leads that it does not count yet.
 * - `unexplained`: the rest, which no line explains.
 */
export const moneyDifferenceKinds = [
  'unknown_lead',
  'other_person',
  'payout_differs',
  'status_differs',
  'lead_not_counted',
  'other_transaction',
  'withdrawal_not_listed',
  'withdrawal_unpaid',
  'on_hold',
  'unexplained',
] as const
export type DifferenceKind = (typeof moneyDifferenceKinds)[number]

/**
 * A line of a difference. `external_id`: the order or the entry at the network. `status`: the lead's source status.
 * difference = actual - expected; the differences of all lines sum to the difference of the account.
 */
export const NetworkDifference = Type.Object({
  id: Type.Integer(),
  kind: OneOf(moneyDifferenceKinds),
  external_id: NullableText,
  lead_id: nullable(Type.Integer()),
  status: NullableText,
  comment: NullableText,
  actual: Type.Number(),
  expected: Type.Number(),
  difference: Type.Number(),
  at: NullableDateTime,
})
export type NetworkDifference = Static<typeof NetworkDifference>

/** `id` of a line is its number in the list without filters, the largest difference first. 404 for no credential. */
export const listNetworkDifferences = call({
  id: 'network-money.differences',
  summary: 'List the lines that explain the difference of an account',
  method: 'GET',
  path: `${path}:id/differences/`,
  feature: 'network_money',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  query: listQuery(['id', 'external_id', 'actual', 'expected', 'difference', 'at'], {
    kind: OneOf(moneyDifferenceKinds),
  }),
  answer: pageSchema(NetworkDifference),
})

export const networkMoneyCalls = [listNetworkMoney, listNetworkDifferences]
