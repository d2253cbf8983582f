import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id } from '../lib/field.ts'
import { maxCode, maxLine, maxText } from '../lib/limits.ts'
import { causeTypes, StoredCurrency, SignedMoney } from '../lib/money.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, Day, NullableText, OneOf, nullable, visibleText } from '../lib/schemas.ts'

/**
 * The kinds of accounts. `network`, `courier`: what it owes us. `person`: what we owe a buyer or a shop. `margin`: our
 * part of the payouts. `fees`: fees of the courier that no shop bears. `adjustments`: the other side of corrections.
 * `unassigned`: money of parcels without an owner. `paid`: what came in and was paid out.
 */
export const accountKinds = [
  'network',
  'courier',
  'person',
  'margin',
  'fees',
  'adjustments',
  'unassigned',
  'paid',
] as const
export type AccountKind = (typeof accountKinds)[number]

/**
 * `person-12-UZS`: the kind, the id of the network, courier or person of the account (0 for kinds with one account a
 * currency), the currency.
 */
const AccountId = Type.String({
  pattern: `^(${accountKinds.join('|')})-\\d{1,16}-[A-Z]{3}$`,
  maxLength: maxCode,
})

/**
 * An account with its balance. What others owe us is positive, what we owe is negative. `name`: of the network, courier
 * account or person with the id `ref_id`. `on_hold`: the part of a person's balance that is not available yet.
 */
export const LedgerAccount = Type.Object({
  id: Type.String(),
  kind: OneOf(accountKinds),
  ref_id: Type.Integer(),
  name: NullableText,
  currency: Type.String(),
  balance: Type.Number(),
  on_hold: Type.Number(),
  entries: Type.Integer(),
})
export type LedgerAccount = Static<typeof LedgerAccount>

/**
 * `cause_id`: the row of the cause. `available_on`: the day on which a person's money is available, null for a day that is
 * not known yet and for other accounts. `on_hold`: that day has not come. `act_id`, `orderno`: of an entry of an act line.
 */
export const LedgerEntry = Type.Object({
  id: Type.Integer(),
  created_at: DateTime,
  account_id: Type.String(),
  kind: OneOf(accountKinds),
  ref_id: Type.Integer(),
  name: NullableText,
  currency: Type.String(),
  amount: Type.Number(),
  cause_type: OneOf(causeTypes),
  cause_id: Type.Integer(),
  act_id: nullable(Type.Integer()),
  orderno: NullableText,
  available_on: nullable(Day),
  on_hold: Type.Boolean(),
})
export type LedgerEntry = Static<typeof LedgerEntry>

/** `at`: the balances at this moment, without `on_hold`, which is then 0. `search` matches the name. */
export const listLedgerAccounts = call({
  id: 'ledger.accounts',
  summary: 'List the accounts of the ledger with their balances',
  method: 'GET',
  path: '/api/admin/ledger/accounts/',
  feature: 'payouts',
  guard: 'admin',
  query: listQuery(['id', 'kind', 'name', 'currency', 'balance', 'on_hold', 'entries'], {
    id: AccountId,
    kind: OneOf(accountKinds),
    ref_id: Id,
    name: Type.String({ maxLength: maxLine }),
    currency: StoredCurrency,
    balance: SignedMoney,
    on_hold: SignedMoney,
    entries: Id,
    at: DateTime,
  }),
  answer: pageSchema(LedgerAccount),
})

/**
 * start_date and end_date are inclusive days of `created_at`. `statement_id`: the entries of a statement. `search` matches the
 * name of the account.
 */
export const listLedgerEntries = call({
  id: 'ledger.entries',
  summary: 'List the entries of the ledger',
  method: 'GET',
  path: '/api/admin/ledger/entries/',
  feature: 'payouts',
  guard: 'admin',
  query: listQuery(['id', 'amount', 'created_at'], {
    id: Id,
    created_at: DateTime,
    account_id: AccountId,
    kind: OneOf(accountKinds),
    ref_id: Id,
    currency: StoredCurrency,
    cause_type: OneOf(causeTypes),
    cause_id: Id,
    amount: SignedMoney,
    statement_id: Id,
    start_date: Day,
    end_date: Day,
  }),
  answer: pageSchema(LedgerEntry),
})

/** The accounts that an admin can correct. */
export const adjustableKinds = ['network', 'courier', 'person', 'fees', 'paid'] as const

/** Adds `amount` to the account. 422 for an amount of 0, and for a new account in an unknown currency; 404 for an account that cannot exist. */
export const adjustLedger = call({
  id: 'ledger.adjust',
  summary: 'Correct the balance of an account, with a reason',
  method: 'POST',
  path: '/api/admin/ledger/adjustments/',
  feature: 'payouts',
  guard: 'admin',
  status: 201,
  body: Type.Object({
    account_id: AccountId,
    amount: SignedMoney,
    reason: Type.String({ minLength: 1, maxLength: maxText, pattern: visibleText }),
  }),
  answer: Type.Object({
    id: Type.Integer(),
    account_id: Type.String(),
    amount: Type.Number(),
    reason: Type.String(),
    created_at: DateTime,
  }),
})

export const ledgerCalls = [listLedgerAccounts, listLedgerEntries, adjustLedger]
