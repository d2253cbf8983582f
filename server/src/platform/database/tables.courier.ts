import type { Generated, GeneratedAlways } from 'kysely'
import type { Id, Json, MaybeNumber, MaybeTime, SetTime, TimestampedRow, Time } from './tables.columns.ts'

/** `problem`: why a person must handle the parcel, from its newest event. `items`: an array of objects. */
interface ParcelsTable extends TimestampedRow {
  orderno: string
  barcode: string | null
  owner_id: number | null
  day: string
  status_code: string
  status_raw: string | null
  status_title: string
  eventtime: Time
  problem: GeneratedAlways<string | null>
  courier_account_id: number | null
  type_name: string | null
  weight: MaybeNumber
  quantity: number | null
  service_name: string | null
  delivery_price: MaybeNumber
  person: string | null
  company: string | null
  phone: string | null
  address: string | null
  town: string | null
  cod_amount: MaybeNumber
  pay_type: string | null
  declared_value: MaybeNumber
  courier_code: string | null
  courier_name: string | null
  courier_phone: string | null
  items: Json
  settled_at: MaybeTime
  from_order_file: Generated<boolean>
}

interface ParcelEventsTable {
  id: Id
  parcel_id: number
  code: string
  raw_code: string
  title: string
  eventtime: Time
  recorded_at: SetTime
}

interface ParcelNotesTable {
  id: Id
  parcel_id: number
  user_id: number
  text: string
  created_at: SetTime
}

interface UploadsTable {
  id: Id
  user_id: number
  name: string
  extension: string
  size: number
  sha256: string
  description: string | null
  status: Generated<'scanning' | 'sent' | 'queued' | 'refused'>
  infected_with: string | null
  file_removed_at: MaybeTime
  attempts: Generated<number>
  last_error: string | null
  next_at: SetTime
  leased_until: MaybeTime
  unsure: Generated<boolean>
  sent_at: MaybeTime
  created_at: SetTime
}

/** How much each person stores; updated by triggers. */
interface PersonUsageTable {
  user_id: number
  upload_count: Generated<number>
  upload_bytes: Generated<number>
  parcel_count: Generated<number>
}

interface TelegramChatsTable {
  configured: string
  current: string | null
  moved_at: MaybeTime
  paused_until: MaybeTime
  sent_times: Generated<string[]>
}

interface TelegramLinksTable {
  user_id: number
  chat_id: string | null
  code: string | null
  code_until: MaybeTime
  problems: Generated<boolean>
  delivered: Generated<boolean>
  digest: Generated<boolean>
  money: Generated<boolean>
  alerts: Generated<boolean>
  muted_until: MaybeTime
  digest_since: MaybeTime
  linked_at: MaybeTime
}

interface TelegramBotsTable {
  bot: string
  next_update: number
}

interface NoticesTable {
  id: Id
  user_id: number
  kind: string
  once: string
  /** Null: the chat that the person has at the time of sending. */
  chat_id: string | null
  /** Null before the first attempt to send the notice. */
  text: string | null
  message: string | null
  params: Json
  status: Generated<'sent' | 'queued' | 'refused'>
  attempts: Generated<number>
  attempted_at: MaybeTime
  next_at: SetTime
  leased_until: MaybeTime
  unsure: Generated<boolean>
  last_error: string | null
  sent_at: MaybeTime
  created_at: SetTime
}

/** Parcels, uploads and notices. */
export interface CourierTables {
  parcels: ParcelsTable
  parcel_events: ParcelEventsTable
  parcel_notes: ParcelNotesTable
  uploads: UploadsTable
  person_usage: PersonUsageTable
  file_removals: { sha256: string; due_at: Time }
  telegram_chats: TelegramChatsTable
  telegram_links: TelegramLinksTable
  telegram_bots: TelegramBotsTable
  notices: NoticesTable
  late_leads: { one: Generated<boolean>; last_checked_id: number }
  database_clock: { one: Generated<boolean>; stored_at: Time }
  courier_rate_limit: { one: Generated<boolean>; next_at: Time }
}
