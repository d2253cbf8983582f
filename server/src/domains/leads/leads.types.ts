import type { ReportColumn } from '@karvon/contract/lib/report-columns.ts'

/**
 * One lead as a source reports it. `source_status` is the status text of the source. `payout` is a decimal
 * string with at most 2 decimals. Times are texts that PostgreSQL reads; without an offset they are in the
 * time zone of the installation. Null means that the source does not report the value.
 */
export interface LeadInput {
  external_id: string
  source_status: string
  payout: string | null
  /** Without a payout, only a new lead gets it. */
  currency: string
  created_at: string
  /** The time of the last change, by the source; null counts as `created_at`. */
  updated_at: string | null
  offer: string | null
  offer_extra_id: string | null
  stream: string | null
  stream_extra_id: string | null
  /** Our id of the stream; it takes precedence over the names. */
  stream_id?: number | null
  comment: string | null
  /** sub1 to sub15 and click; a new value replaces the whole object. */
  subs?: Readonly<Record<string, string>> | null
  /** Where the customer is, and why the order was cancelled, in the words of the source. */
  region?: string | null
  cancel_reason?: string | null
}

/**
 * A status that an admin or a parcel sets on a lead, at a time (null: now). A report column means the oldest
 * active status of its type. Without `source_id`, the override applies to every lead with that external id.
 */
export type StatusOverride = ({ id: number } | { external_id: string; source_id?: number }) &
  ({ status_id: number } | { column: ReportColumn }) & { at: string | null }

/** What changed a lead; its history contains this. */
export interface ChangeOrigin {
  origin: 'file' | 'postback' | 'connector' | 'parcel' | 'mapping' | 'admin'
  reason?: string
}

/** Leads that one source reports together. */
export interface LeadBatch extends ChangeOrigin {
  sourceId: number
  leads: readonly LeadInput[]
  /** The person whom new streams belong to from the start. A stream without an owner matches the parcels of any person. */
  streamOwnerId?: number | undefined
}
