import type { Generated } from 'kysely'
import type { Id, Json, MaybeTime, SetTime, Time, TimestampedRow } from './tables.columns.ts'

export interface ResetRequestsTable {
  id: Id
  email: string
  created_at: SetTime
}

/** A queued message to a person. */
interface MessageQueueTable {
  id: Id
  user_id: number
  status: Generated<'queued' | 'sent' | 'refused'>
  attempts: Generated<number>
  next_at: SetTime
  leased_until: MaybeTime
  unsure: Generated<boolean>
  last_error: string | null
  sent_at: MaybeTime
  created_at: SetTime
}

/** `event`: what changed in the account, see migration 0023. */
export interface AccountMailsTable extends MessageQueueTable {
  address: string
  event: string
}

export interface ResetLinksTable {
  token_hash: Buffer
  user_id: number
  expires_at: Time
}

export interface KnownDevicesTable {
  user_id: number
  device_hash: Buffer
  last_at: SetTime
}

/** `screen`: the path of `address` with its tab. */
interface SavedViewsTable extends TimestampedRow {
  user_id: number
  name: string
  screen: string
  address: string
}

/** The schedule of a saved view. `time` is hh:mm:ss. */
interface ViewSchedulesTable {
  view_id: number
  channel: 'telegram' | 'mail'
  time: string
  weekdays: number[] | null
  month_days: number[] | null
  includes_roles: boolean
  is_active: boolean
  next_at: Time
}

/**
 * `sent_parts`: how many parts of the message have arrived. `reason`: the error of the last attempt, as code and
 * params.
 */
interface ViewMessagesTable extends MessageQueueTable {
  view_id: number
  channel: 'telegram' | 'mail'
  due_at: Time
  attempted_at: MaybeTime
  sent_parts: Generated<number>
  reason: Json
}

/**
 * Requests of people who are not signed in (migration 0015), mails to owners of accounts (0023), saved views (0045)
 * and their schedules (0048, 0051, 0061).
 */
export interface AccountTables {
  reset_requests: ResetRequestsTable
  reset_mails: MessageQueueTable
  account_mails: AccountMailsTable
  known_devices: KnownDevicesTable
  reset_links: ResetLinksTable
  saved_views: SavedViewsTable
  saved_view_roles: { view_id: number; role_id: number }
  saved_view_defaults: { user_id: number; screen: string; view_id: number }
  view_schedules: ViewSchedulesTable
  view_messages: ViewMessagesTable
}
