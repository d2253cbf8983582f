import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id } from '../lib/field.ts'
import { maxCode, maxMoney, maxText } from '../lib/limits.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, Day, NullableText, OneOf, nullable } from '../lib/schemas.ts'

/**
 * The kinds of accounts. `network`, `courier`: what it owes us. `person`: what we owe a buyer or a shop. `margin`: our
 * part of the payouts. `fees`: fees of the courier that no shop bears. `adjustments`: the other side of corrections.
 * `unassigned`: money of parcels without an owner. `cash`: what came in and was paid out.
 */
export const accountKinds = [
  'network',
  'courier',
  'person',
  'margin',
  'fees',
  'adjustments',
  'unassigned',
  'cash',
] as const
export type AccountKind = (typeof accountKinds)[number]

/** What an entry was posted for. */
export const causeKinds = [
  'lead',
  'settlement_line',
  'settlement_act',
  'network_transaction',
  'withdrawal',
  'adjustment',
] as const
export type CauseKind = (typeof causeKinds)[number]

/** A number with at most 2 decimals that may be negative. */
export const SignedMoney = Type.Number({ minimum: -maxMoney, maximum: maxMoney, multipleOf: 0.01 })
export const Currency = Type.String({ pattern: '^[A-Z]{3}$' })

/**
 * An account with its balance. What others owe us is positive, what we owe is negative. `name`: of the network, courier
 * account or person. `on_hold`: the part of a person's balance that is not available yet.
 */
export const LedgerAccount = Type.Object({
  id: Type.String(),
  account_kind: OneOf(accountKinds),
  account_id: Type.Integer(),
  name: NullableText,
  currency: Type.String(),
  balance: Type.Number(),
  on_hold: Type.Number(),
  entries: Type.Integer(),
})
export type LedgerAccount = Static<typeof LedgerAccount>

/** `cause_id`: the row of the cause. `available_on`: the day on which a person's money is available. */
export const LedgerEntry = Type.Object({
  id: Type.Integer(),
  posted_at: DateTime,
  account_kind: OneOf(accountKinds),
  account_id: Type.Integer(),
  name: NullableText,
  currency: Type.String(),
  amount: Type.Number(),
  cause_kind: OneOf(causeKinds),
  cause_id: Type.Integer(),
  available_on: nullable(Day),
})
export type LedgerEntry = Static<typeof LedgerEntry>

/** `as_of`: the balances at this moment, without `on_hold`, which is then 0. `search` matches the name. */
export const listLedgerAccounts = call({
  id: 'ledger.accounts',
  summary: 'List the accounts of the ledger with their balances',
  method: 'GET',
  path: '/api/admin/ledger/accounts/',
  feature: 'payouts',
  guard: 'admin',
  query: listQuery(['id', 'name', 'balance', 'on_hold', 'entries'], {
    account_kind: OneOf(accountKinds),
    account_id: Id,
    currency: Currency,
    as_of: DateTime,
  }),
  answer: pageSchema(LedgerAccount),
})

/** start_date and end_date are inclusive days of `posted_at`. */
export const listLedgerEntries = call({
  id: 'ledger.entries',
  summary: 'List the entries of the ledger',
  method: 'GET',
  path: '/api/admin/ledger/entries/',
  feature: 'payouts',
  guard: 'admin',
  query: listQuery(['id', 'posted_at'], {
    account_kind: OneOf(accountKinds),
    account_id: Id,
    currency: Currency,
    cause_kind: OneOf(causeKinds),
    cause_id: Id,
    start_date: Day,
    end_date: Day,
  }),
  answer: pageSchema(LedgerEntry),
})

/** The accounts that an admin can correct. */
export const adjustableKinds = ['network', 'courier', 'person', 'fees', 'cash'] as const

const Adjustment = Type.Object({
  account_kind: OneOf(adjustableKinds),
  account_id: Type.Integer({ minimum: 0 }),
  currency: Currency,
  amount: SignedMoney,
  reason: Type.String({ minLength: 1, maxLength: maxText }),
})

/** Adds `amount` to the account. 422 for an amount of 0 and for an account that does not exist. */
export const adjustLedger = call({
  id: 'ledger.adjust',
  summary: 'Correct the balance of an account, with a reason',
  method: 'POST',
  path: '/api/admin/ledger/adjustments/',
  feature: 'payouts',
  guard: 'admin',
  status: 201,
  body: Adjustment,
  answer: Type.Object({
    id: Type.Integer(),
    account_kind: OneOf(adjustableKinds),
    account_id: Type.Integer(),
    currency: Type.String({ maxLength: maxCode }),
    amount: Type.Number(),
    reason: Type.String(),
    created_at: DateTime,
  }),
})

export const ledgerCalls = [listLedgerAccounts, listLedgerEntries, adjustLedger]
