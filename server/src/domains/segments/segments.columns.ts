import type { TextDimension } from '@karvon/contract/lib/lead-texts.ts'

/** The columns of segments that hold ids. The code of an id is the id, and 0 means none. */
export const idColumns = ['source', 'offer', 'stream', 'status'] as const
export type IdColumn = (typeof idColumns)[number]
/** The columns of segments. */
export type SegmentColumn = IdColumn | 'hour' | TextDimension | 'payout'
/** The columns of spans. */
export type SpanColumn = IdColumn | 'payout'
export const isSpanColumn = (name: SegmentColumn): name is SpanColumn =>
  name === 'payout' || idColumns.some((column) => column === name)

/** Leads of one segment. A column has at most four bytes for each. */
export const maxSegmentLeads = 32_768
/** Different texts of one dimension that have codes. A segment with other texts has no such column. */
export const maxLeadTexts = 100_000
/** Bytes of a text that has a code. An index holds it. */
export const maxLeadTextBytes = 1000
