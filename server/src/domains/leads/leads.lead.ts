import type { ReportColumn } from '@karvon/contract/lib/report-columns.ts'

/**
 * One lead as a source tells of it. `word` is the source's own status word, `payout` a decimal string with at
 * most 2 decimals, times are texts that PostgreSQL reads (without an offset they are in the installation's
 * zone). Null means that the source does not say.
 */
export interface LeadTold {
  external_id: string
  word: string
  payout: string
  currency: string
  created_at: string
  /** The source's own time of the last change; null counts as `created_at`. */
  updated_at: string | null
  offer: string | null
  offer_extra_id: string | null
  stream: string | null
  stream_extra_id: string | null
  /** Our own id of the stream where the teller knows it; it wins over the names. */
  stream_id?: number | null
  comment: string | null
  /** sub1 to sub15 and click; one that is told replaces the whole of it. */
  subs?: Readonly<Record<string, string>> | null
}

/**
 * A state that somebody other than the source says a lead is in, at a time (null: now): a status, or a report
 * column, which stands for the oldest active status of its type. Without `source_id`, every source's lead of
 * that external id.
 */
export type Restated = ({ id: number } | { external_id: string; source_id?: number }) &
  ({ status_id: number } | { column: ReportColumn }) & { at: string | null }

/** Which way leads came in; kept in their history. */
export interface LeadOrigin {
  origin: 'file' | 'postback' | 'connector' | 'parcel' | 'mapping' | 'admin'
  reason?: string
}

/** What became of the leads of a batch; repeated ids within it count as unchanged. */
export interface LeadsTaken {
  imported: number
  updated: number
  unchanged: number
}
