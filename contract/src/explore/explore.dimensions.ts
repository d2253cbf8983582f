/**
 * What Explore groups leads by. Server, web, saved views and alerts read this declaration.
 *
 * - `kind` is the kind of its keys. `period`: the first day of a day, a week or a month. `cycle`: a number that repeats, as
 *   a weekday (1 is Monday) or an hour (0 to 23, in the time zone of the installation). `id`: the id of a row; 0 stands for
 *   none. `text`: a text that the source reported; a lead may have none.
 * - `leadFilter` is the parameter of the list of leads that finds the leads of one key. A `period` is found by its days.
 */
export interface Dimension {
  readonly kind: 'period' | 'cycle' | 'id' | 'text'
  readonly leadFilter: string
}

export const dimensions = {
  day: { kind: 'period', leadFilter: 'start_date' },
  week: { kind: 'period', leadFilter: 'start_date' },
  month: { kind: 'period', leadFilter: 'start_date' },
  weekday: { kind: 'cycle', leadFilter: 'weekday' },
  hour: { kind: 'cycle', leadFilter: 'hour' },
  source: { kind: 'id', leadFilter: 'source_id' },
  offer: { kind: 'id', leadFilter: 'offer_id' },
  stream: { kind: 'id', leadFilter: 'stream_id' },
  buyer: { kind: 'id', leadFilter: 'buyer_id' },
  status: { kind: 'id', leadFilter: 'status_id' },
  region: { kind: 'text', leadFilter: 'region' },
  cancel_reason: { kind: 'text', leadFilter: 'cancel_reason' },
  sub1: { kind: 'text', leadFilter: 'sub1' },
  sub2: { kind: 'text', leadFilter: 'sub2' },
  sub3: { kind: 'text', leadFilter: 'sub3' },
} as const satisfies Record<string, Dimension>

export type DimensionName = keyof typeof dimensions
export const dimensionNames = Object.keys(dimensions) as DimensionName[]

/** A text that identifies a member of a dimension. Null: the question has no columns. */
export const getMemberKey = (member: { kind: string; key: string | null } | null): string =>
  `${member?.kind ?? ''} ${member?.key ?? ''}`
