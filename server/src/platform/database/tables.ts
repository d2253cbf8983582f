import type { ColumnType, Generated } from 'kysely'
import type { Id, Json, MaybeTime, SetMoney, SetTime, TimestampedRow, Time } from './tables.columns.ts'
import type { AccountTables } from './tables.accounts.ts'
import type { AlertTables } from './tables.alerts.ts'
import type { CourierTables } from './tables.courier.ts'
import type { LeadTables } from './tables.leads.ts'
import type { MoneyTables } from './tables.money.ts'
import type { SettlementTables } from './tables.settlements.ts'
import type { SyncTables } from './tables.syncs.ts'

export interface RolesTable extends TimestampedRow {
  name: string
  code: string
  /** For the check for look-alikes. Set by a trigger. */
  code_folded: Generated<string>
  description: string | null
  type: string | null
}

export interface UsersTable extends TimestampedRow {
  username: string
  /** For the check for look-alikes. Set by a trigger. */
  username_folded: Generated<string>
  name: string
  email: string
  password_hash: string
  role_id: number
  extra_id: string | null
  is_active: Generated<boolean>
  waiting: Generated<boolean>
  registered_from: string | null
  second_factor: Generated<boolean>
  /** The language of notices, mails and answers of the bot. Null: Russian. */
  language: 'ru' | 'uz' | 'en' | null
}

export interface SecondFactorsTable {
  /** The id of the person. */
  id: number
  secret: string
  last_counter: Generated<number>
  created_at: SetTime
}

export interface SessionsTable {
  id: Id
  user_id: number
  token_hash: Buffer
  address: string | null
  user_agent: string | null
  created_at: SetTime
  last_used_at: SetTime
  expires_at: Time
}

export interface SignInFailuresTable {
  key: string
  failures: number
  last_at: Time
  blocked_until: ColumnType<string | null, Date | string | null, Date | string | null>
}

export interface AuditLogTable {
  id: Id
  at: SetTime
  user_id: number | null
  action: string
  resource: string
  row_id: number | null
  old_values: Json
  new_values: Json
}

export interface CpaSourcesTable extends TimestampedRow {
  name: string
  url: string
  description: string | null
  is_active: Generated<boolean>
  postback_key: Generated<string>
}

export interface RoleSourceAccessTable extends TimestampedRow {
  role_id: number
  source_id: number
}

export interface CpaWebsitesTable extends TimestampedRow {
  name: string
  cpa_source_id: number
  login_url: string | null
  finance_url: string | null
  orders_url: string | null
  offers_url: string | null
  streams_url: string | null
  single_offer_url: string | null
  img_url: string | null
  connector: string | null
  mapping: Json
}

export interface SourceCredentialsTable extends TimestampedRow {
  name: string
  login: string | null
  pass: string | null
  api_key: string | null
  token: string | null
  token_updated_at: MaybeTime
  secret_hosts: string[] | null
  user_id: number
  source_id: number
}

export interface StatusTypesTable extends TimestampedRow {
  name: string
  description: string | null
  is_active: Generated<boolean>
  code: string | null
}

export interface StatusesTable extends TimestampedRow {
  name: string
  type_id: number
  is_active: Generated<boolean>
}

export interface SourceStatusesTable extends TimestampedRow {
  name: string
  source_name: string
  source_name2: string | null
  status_id: number
  source_id: number
  is_default: Generated<boolean>
}

export interface OffersTable extends TimestampedRow {
  name: string
  price: SetMoney
  affiliate_fee: SetMoney
  store_name: Generated<string>
  status_id: number | null
  source_id: number
  extra_id: string | null
  master_offer_id: number | null
  image_url: string | null
}

export interface StreamsTable extends TimestampedRow {
  name: string
  url: Generated<string>
  offer_name: string | null
  offer_id: number | null
  extra_id: string | null
  source_id: number
  user_id: number | null
  is_active: Generated<boolean>
}

/** `answer` is encrypted. */
interface IdempotencyKeysTable {
  id: Id
  key_hash: Buffer
  fingerprint: Buffer
  row_id: number | null
  status: number | null
  answer: string | null
  leased_until: Time
  created_at: SetTime
}

/** All tables after all migrations. */
export interface Tables
  extends AccountTables, AlertTables, LeadTables, CourierTables, SyncTables, MoneyTables, SettlementTables {
  roles: RolesTable
  users: UsersTable
  sessions: SessionsTable
  second_factors: SecondFactorsTable
  recovery_codes: { user_id: number; salt: Generated<Buffer>; code_hash: Buffer }
  sign_in_failures: SignInFailuresTable
  audit_log: AuditLogTable
  idempotency_keys: IdempotencyKeysTable
  cpa_sources: CpaSourcesTable
  role_source_access: RoleSourceAccessTable
  cpa_websites: CpaWebsitesTable
  source_credentials: SourceCredentialsTable
  status_types: StatusTypesTable
  statuses: StatusesTable
  source_statuses: SourceStatusesTable
  offers: OffersTable
  streams: StreamsTable
  data_folder: { is_only: Generated<boolean>; mark: string }
  read_positions: { user_id: number; position: string }
  row_counts: { table_name: string; slot: number; rows: number }
  row_ranges: { table_name: string; size: number; first_id: number; slot: number; rows: number }
}
