import type { ColumnType, Generated } from 'kysely'
import type { Id, MaybeNumber, MaybeTime, Money, SetTime, Time } from './tables.columns.ts'

type AccountKind =
  | 'network'
  | 'courier'
  | 'person'
  | 'margin'
  | 'fees'
  | 'adjustments'
  | 'unassigned'
  | 'paid'
type CauseType =
  | 'lead'
  | 'settlement_line'
  | 'settlement_act'
  | 'network_transaction'
  | 'withdrawal'
  | 'adjustment'
type WithdrawalStatus = 'requested' | 'approved' | 'sent' | 'paid' | 'declined' | 'cancelled'

interface PayoutTermsTable {
  id: Id
  user_id: number | null
  offer_id: number | null
  valid_from: string
  earned_at: 'sold' | 'delivered'
  share: MaybeNumber
  fixed: MaybeNumber
  currency: ColumnType<string | null, string | null | undefined, never>
  hold_days: number
  minimum: Money
  created_by: number | null
  created_at: SetTime
}

export interface LedgerAccountKey {
  account_kind: AccountKind
  ref_id: number
  currency: string
}

/** Append-only: the database refuses to change or delete a row. */
interface LedgerEntriesTable extends LedgerAccountKey {
  id: Id
  cause_type: CauseType
  cause_id: number
  amount: Money
  available_on: string | null
  created_at: SetTime
}

/** Written by triggers. `day`: the UTC day of posting. */
interface LedgerDeltasTable extends LedgerAccountKey {
  id: Id
  day: string
  available_on: string | null
  amount: Money
  entries: number
}

interface LedgerDaysTable extends LedgerAccountKey {
  day: string
  amount: Money
  entries: number
}

interface LedgerBalancesTable extends LedgerAccountKey {
  amount: Money
  entries: number
}

interface LedgerHoldsTable extends LedgerAccountKey {
  available_on: string
  amount: Money
}

/** Exactly one of `status_id` and `stream_id`, or neither for all leads. */
interface LeadPostingQueueTable {
  id: Id
  status_id: number | null
  stream_id: number | null
  next_created_at: Generated<string>
  next_id: Generated<number>
}

interface LedgerAdjustmentsTable extends LedgerAccountKey {
  id: Id
  amount: Money
  reason: string
  created_by: number
  created_at: SetTime
}

/** `details_encrypted` is removed when the withdrawal ends. `registry_id`: the registry in which it is sent or was paid. */
interface WithdrawalsTable {
  id: Id
  user_id: number
  currency: string
  amount: Money
  status: Generated<WithdrawalStatus>
  details: string
  details_encrypted: string | null
  requested_at: SetTime
  decided_by: number | null
  decided_at: MaybeTime
  decline_reason: string | null
  paid_on: string | null
  reference: string | null
  registry_id: number | null
}

/** `payments` and `amount`: the number and the sum of its payments. */
interface PaymentRegistriesTable {
  id: Id
  currency: string
  payments: number
  amount: Money
  created_by: number
  created_at: SetTime
}

/**
 * A withdrawal as it was sent to the bank. `details_encrypted` is removed when each payment of the registry is paid or refused.
 */
interface RegistryPaymentsTable {
  id: Id
  registry_id: number
  withdrawal_id: number
  name: string
  amount: Money
  details_encrypted: string | null
  refused_at: MaybeTime
}

/**
 * Never changed. The period is from `starts_at` to `ends_at`, which is excluded. `earned` is positive, `reversed` and
 * `paid` are negative.
 */
interface StatementsTable {
  id: Id
  user_id: number
  currency: string
  start_date: string
  end_date: string
  starts_at: Time
  ends_at: Time
  opening: Money
  earned: Money
  reversed: Money
  fees: Money
  adjusted: Money
  paid: Money
  closing: Money
  entries: number
  closed_by: number
  closed_at: SetTime
}

/** `created_at` is the network's time. `account` is masked. */
interface NetworkTransactionsTable {
  id: Id
  source_credential_id: number
  source_id: number
  kind: 'transaction' | 'withdrawal'
  key: string
  amount: Money
  currency: string
  type: string | null
  target_kind: 'order' | 'withdrawal' | 'other' | null
  target_type: string | null
  target_id: string | null
  lead_id: number | null
  comment: string | null
  account: string | null
  status: string | null
  is_paid: Generated<boolean>
  created_at: Time
  read_at: SetTime
}

export interface MoneyTables {
  payout_terms: PayoutTermsTable
  ledger_entries: LedgerEntriesTable
  ledger_deltas: LedgerDeltasTable
  ledger_days: LedgerDaysTable
  ledger_balances: LedgerBalancesTable
  ledger_holds: LedgerHoldsTable
  ledger_entry_count: { entries: number }
  lead_posting_queue: LeadPostingQueueTable
  ledger_adjustments: LedgerAdjustmentsTable
  withdrawals: WithdrawalsTable
  payment_registries: PaymentRegistriesTable
  registry_payments: RegistryPaymentsTable
  statements: StatementsTable
  network_transactions: NetworkTransactionsTable
}
