import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Id, Json, MaybeTime, Money, SetMoney, SetTime, TimestampedRow, Time } from './tables.columns.ts'

interface LeadsTable {
  id: Id
  source_id: number
  external_id: string
  offer_id: number | null
  stream_id: number | null
  source_status: string
  status_id: number | null
  payout: SetMoney
  currency: Generated<string>
  comment: string | null
  day: string
  created_at: Time
  updated_at: Time
  recorded_at: SetTime
  /** True after an admin or a parcel set the status, until the source reports another source status. */
  is_status_overridden: Generated<boolean>
  subs: Json
  region: string | null
  cancel_reason: string | null
}

interface LeadHistoryTable {
  id: Id
  lead_id: number
  source_status: string
  status_id: number | null
  payout: Money
  currency: string | null
  origin: string
  reason: string | null
  source_time: Time
  recorded_at: SetTime
}

/** The figures of reports. Money adds the payouts in all currencies. */
interface Figures {
  leads: number
  accepted: number
  cancel: number
  recall: number
  send: number
  sold: number
  returned: number
  hold: number
  profit: Money
  hold_amount: Money
}

/** A change of the figures that is not in the totals yet. Offer or stream 0: none. Written by triggers. */
interface LeadDeltasTable extends Figures {
  id: Id
  day: string
  source_id: number
  offer_id: number
  stream_id: number
}

/** Figures of `span` days from `start`, for one source. */
interface SourceTotalsTable extends Figures {
  span: number
  start: string
  source_id: number
}

interface OfferTotalsTable extends SourceTotalsTable {
  offer_id: number
}

interface StreamTotalsTable extends OfferTotalsTable {
  stream_id: number
}

/**
 * Figures of a day for one source and the streams that a buyer has now. Buyer 0: streams without a buyer; -1: leads
 * without a stream.
 */
interface BuyerDaysTable extends Figures {
  user_id: number
  day: string
  source_id: number
}

/** A change of the leads and payouts by status that is not in the totals yet. Status 0: none. */
interface StatusDeltasTable {
  id: Id
  day: string
  source_id: number
  status_id: number
  leads: number
  payouts: Money
}

/** Leads and payouts of `span` days from `start`, for one source and status. */
interface StatusTotalsTable {
  span: number
  start: string
  source_id: number
  status_id: number
  leads: number
  payouts: Money
}

/** A status whose leads are being moved to another report column; null: no column. See migration 0056. */
interface StatusRecountsTable {
  status_id: number
  old_column: string | null
  new_column: string | null
  cursor_created_at: Generated<Time>
  cursor_id: Generated<number>
  recounted: Generated<number>
}

/** The code of a text of leads, for each dimension. */
interface LeadTextsTable {
  dimension: string
  code: number
  text: string
}

/** Columns of codes of some leads of a day. See migrations 0049 and 0055. */
interface LeadSegmentsTable {
  day: string
  part: number
  leads: number
  time_zone: string
  source: Buffer | null
  offer: Buffer | null
  stream: Buffer | null
  status: Buffer | null
  hour: Buffer | null
  region: Buffer | null
  cancel_reason: Buffer | null
  sub1: Buffer | null
  sub2: Buffer | null
  sub3: Buffer | null
  payout: Buffer | null
  largest_payout: number | null
  build: GeneratedAlways<number>
  built_at: Generated<string>
  slices: number[] | null
  slice_starts: number[] | null
  owner_change: number | null
}

/** The former owners of streams. See migration 0055. */
interface StreamFormerOwnersTable {
  stream_id: number
  user_id: number
  change: GeneratedAlways<number>
}

/** Groups of the leads of `days` days from `day`. See migration 0050. */
interface LeadSpansTable {
  day: string
  days: number
  part: number
  groups: number
  segments: number
  builds: number
  source: Buffer
  offer: Buffer
  stream: Buffer
  status: Buffer
  leads: Buffer
  payout: Buffer
  largest_sum: number
}

/** A change of leads of a day after its segments were built. Written by triggers. */
interface LeadDayChangesTable {
  day: string
  id: Id
}

/** A currency that leads of a source and a stream have or had. Stream 0: none. Written by triggers. See migration 0067. */
interface LeadCurrenciesTable {
  currency: string
  source_id: number
  stream_id: number
  id: Id
}

/** A source status, in lower case, whose mapping changed and whose leads are not all updated yet. */
interface LeadRemapsTable {
  id: Id
  source_id: number
  source_status: string
}

interface ImportsTable {
  id: Id
  key: string
  user_id: number
  kind: 'leads' | 'parcels' | 'settlement-acts'
  file: string
  status: Generated<'running' | 'done' | 'failed'>
  size: number
  bytes_read: Generated<number>
  imported: Generated<number>
  updated: Generated<number>
  unchanged: Generated<number>
  skipped: Generated<number>
  error: string | null
  details: ColumnType<Record<string, unknown>, string | undefined, string>
  started_at: SetTime
  heartbeat_at: SetTime
  finished_at: MaybeTime
}

interface PostbacksTable {
  id: Id
  at: SetTime
  source_id: number | null
  method: string
  address: string | null
  params: ColumnType<Record<string, string>, string, string>
  external_id: string | null
  source_status: string | null
  outcome: 'created' | 'updated' | 'unchanged' | 'refused'
  reason: string | null
  detail: string | null
  lead_id: number | null
  replayed_at: MaybeTime
}

interface PostbackTemplatesTable extends TimestampedRow {
  name: string
  stream_id: number
  state: string | null
  url: string
  is_active: Generated<boolean>
}

interface OutgoingPostbacksTable {
  id: Id
  template_id: number | null
  lead_id: number
  stream_id: number | null
  source_status: string
  state: string | null
  payout: Money
  currency: string | null
  changed_at: Time
  url: string | null
  status: Generated<'queued' | 'sent' | 'same' | 'refused'>
  attempts: Generated<number>
  next_at: SetTime
  leased_until: MaybeTime
  answer: number | null
  last_error: string | null
  sent_at: MaybeTime
  created_at: SetTime
}

/** Leads, their rollups and their postbacks. */
export interface LeadTables {
  leads: LeadsTable
  lead_history: LeadHistoryTable
  lead_deltas: LeadDeltasTable
  source_totals: SourceTotalsTable
  offer_totals: OfferTotalsTable
  stream_totals: StreamTotalsTable
  buyer_days: BuyerDaysTable
  status_deltas: StatusDeltasTable
  status_totals: StatusTotalsTable
  status_recounts: StatusRecountsTable
  lead_texts: LeadTextsTable
  lead_segments: LeadSegmentsTable
  stream_former_owners: StreamFormerOwnersTable
  lead_spans: LeadSpansTable
  lead_day_changes: LeadDayChangesTable
  lead_currencies: LeadCurrenciesTable
  lead_remaps: LeadRemapsTable
  imports: ImportsTable
  postbacks: PostbacksTable
  postback_templates: PostbackTemplatesTable
  outgoing_postbacks: OutgoingPostbacksTable
  /** Leads up to `statuses_counted_to` are in the totals of statuses; null: all. */
  installation: { time_zone: string; statuses_counted_to: number | null }
}
