import type { ColumnType, Generated } from 'kysely'
import type { Id, Json, MaybeTime, Money, SetTime, TimestampedRow } from './tables.columns.ts'

/** The domain validates `description` before it is stored. */
interface ConnectorsTable extends TimestampedRow {
  code: string
  name: string
  description: ColumnType<Record<string, unknown>, string, string>
  is_builtin: Generated<boolean>
}

/** `pass` is encrypted. */
interface CourierAccountsTable extends TimestampedRow {
  name: string
  url: string
  extra: string | null
  login: string
  pass: string | null
  user_id: number
  settlement_days: number | null
  is_active: Generated<boolean>
}

/** Exactly one of the two accounts is set. */
interface AccountColumns {
  source_credential_id: ColumnType<number | null, number | null | undefined, never>
  courier_account_id: ColumnType<number | null, number | null | undefined, never>
}

interface SyncStatesTable extends AccountColumns {
  id: Id
  next_run_at: SetTime
  requested_by: number | null
  leased_until: MaybeTime
  leased_by: string | null
  failures: Generated<number>
  paused_until: MaybeTime
  pause_reason: string | null
  is_rate_limited: Generated<boolean>
  requests_day: string | null
  requests: Generated<number>
  progress: Json
  memory: Json
  balance: Money | null
  hold: Money | null
  money_at: MaybeTime
  last_success_at: SetTime
  full_requested_at: MaybeTime
  gap_from: MaybeTime
  gap_to: MaybeTime
  /** The days whose orders a person requested and that are not fetched yet. */
  orders_from: string | null
  orders_to: string | null
}

interface SyncRunsTable extends AccountColumns {
  id: Id
  status: Generated<'running' | 'done' | 'partial' | 'failed'>
  requested_by: number | null
  started_at: SetTime
  finished_at: MaybeTime
  heartbeat_at: SetTime
  /** Written by versions before `part`. */
  phase: string | null
  part: string | null
  page: number | null
  counts: ColumnType<Record<string, number>, string | undefined, string>
  error: string | null
  reasons: ColumnType<Record<string, unknown>[], string | undefined, string>
}

/** Accounts that Karvon syncs. */
export interface SyncTables {
  connectors: ConnectorsTable
  courier_accounts: CourierAccountsTable
  sync_states: SyncStatesTable
  sync_runs: SyncRunsTable
}
