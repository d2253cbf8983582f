import type { Generated, GeneratedAlways } from 'kysely'
import type {
  Id,
  MaybeNumber,
  MaybeTime,
  Money,
  SetMoney,
  SetTime,
  TimestampedRow,
} from './tables.columns.ts'

interface CourierTariffsTable extends TimestampedRow {
  name: string
  courier_account_id: number
  delivery_fee: Money
  cash_percent: MaybeNumber
  cash_fee: MaybeNumber
  valid_from: string
}

interface SettlementActsTable extends TimestampedRow {
  courier_account_id: number
  code: string | null
  number: string
  act_date: string
  paid_at: string | null
  collected: SetMoney
  fees: SetMoney
  correction: SetMoney
  due: GeneratedAlways<number>
  pay_type: string | null
  has_signed_copy: boolean | null
  currency: string
  content_hash: string
  header_hash: string | null
  checked_at: MaybeTime
  voided_at: MaybeTime
  unlisted_at: MaybeTime
}

interface SettlementLinesTable extends TimestampedRow {
  act_id: number
  orderno: string
  occurrence: number
  code: string | null
  parcel_id: number | null
  order_date: string | null
  delivered_date: string | null
  company: string | null
  collected: Money
  delivery_fee: Money
  cash_fee: Money
  due: Money
  declared_value: MaybeNumber
  weight: MaybeNumber
  pay_type: string | null
  status_title: string | null
  removed_at: MaybeTime
}

interface SettlementDifferencesTable extends TimestampedRow {
  courier_account_id: number
  line_id: number | null
  parcel_id: number | null
  orderno: string
  kind: 'unknown_order' | 'amount' | 'fee' | 'settled_twice' | 'not_delivered' | 'missing'
  expected: MaybeNumber
  actual: MaybeNumber
  difference: Money
  status: Generated<'open' | 'resolved'>
  assignee_id: number | null
  reason: string | null
  resolved_by: number | null
  resolved_at: MaybeTime
}

interface SettlementNotesTable {
  id: Id
  difference_id: number
  user_id: number
  text: string
  created_at: SetTime
}

/** Settlement acts of the courier. */
export interface SettlementTables {
  courier_tariffs: CourierTariffsTable
  settlement_acts: SettlementActsTable
  settlement_lines: SettlementLinesTable
  settlement_differences: SettlementDifferencesTable
  settlement_notes: SettlementNotesTable
}
