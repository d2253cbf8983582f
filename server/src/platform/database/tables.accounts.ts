import type { Generated } from 'kysely'
import type { Id, MaybeTime, SetTime, Time, TimestampedRow } from './tables.columns.ts'

export interface ResetRequestsTable {
  id: Id
  email: string
  created_at: SetTime
}

/** A queued mail. */
interface MailQueueTable {
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
export interface AccountMailsTable extends MailQueueTable {
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

/** Requests of people who are not signed in (migration 0015), mails to owners of accounts (0023), and saved views (0045). */
export interface AccountTables {
  reset_requests: ResetRequestsTable
  reset_mails: MailQueueTable
  account_mails: AccountMailsTable
  known_devices: KnownDevicesTable
  reset_links: ResetLinksTable
  saved_views: SavedViewsTable
  saved_view_roles: { view_id: number; role_id: number }
  saved_view_defaults: { user_id: number; screen: string; view_id: number }
}
