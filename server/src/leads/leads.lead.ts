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
  comment: string | null
}

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
