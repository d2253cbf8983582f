import { reportColumns } from '@karvon/contract/kit/report-columns.ts'
import type { Identity } from '../guard.ts'
import type { Where } from '../lists/lists.where.ts'
import { coverOf, dayZero } from './totals.cover.ts'

/** What is kept of each group of leads, in this order; money in the installation's currency. */
export const figures = ['leads', ...reportColumns, 'profit', 'hold_amount'] as const

/** What figures can be asked by. */
export type Grouping = 'day' | 'source_id' | 'offer_id' | 'stream_id'

/** Which leads: id 0 of an offer or a stream means without one, days are inclusive, all of it already checked. */
export interface LeadsMeant {
  source_id?: number | undefined
  offer_id?: number | undefined
  stream_id?: number | undefined
  start_date?: string | undefined
  end_date?: string | undefined
}

export type Person = Pick<Identity, 'userId' | 'roleId'>

/** The condition that the row `t` is of an own stream of that person, at a source that their role may see. */
export const ownOf = (parameters: Where, t: string, { userId, roleId }: Person): string =>
  `${t}.stream_id in (select id from streams where user_id = ${parameters.value(userId)})
    and ${t}.source_id in (select source_id from role_source_access where role_id = ${parameters.value(roleId)})`

/**
 * SQL of rows that add up to the figures of the leads that are meant: totals of the spans that the period is
 * made of, and deltas that are in no total yet. `select` are expressions over the figures of the row `f`;
 * `by` adds what to group them by, as `key`. Few rows, however many leads.
 */
export function figureRowsText(
  parameters: Where,
  select: readonly string[],
  leads: LeadsMeant,
  person: Person | null,
  by?: Grouping,
): string {
  const keys = (['source_id', 'offer_id', 'stream_id'] as const).filter((key) => leads[key] !== undefined)
  const conditions = keys.map((key) => `f.${key} = ${parameters.value(leads[key])}`)
  if (person !== null) conditions.push(ownOf(parameters, 'f', person))
  const rows = (day: string, from: string) => {
    const key = by === undefined ? [] : [`${by === 'day' ? day : `f.${by}`} as key`]
    return `select ${[...key, ...select].join(', ')} from ${[from, ...conditions].join(' and ')}`
  }
  const day = (number: number) => `${dayZero} + ${parameters.value(number)}::integer`

  const { edges, whole, days } = coverOf(leads.start_date, leads.end_date)
  const table = tableWith([...keys, by], person)
  const inside = (column: string, from: string, until: string) =>
    `${column} >= ${from} and ${column} < ${until}`
  const [from, until] = [day(days.from), day(days.until)]
  const deltas = rows('f.day', `lead_deltas f where ${inside('f.day', from, until)}`)
  if (by === 'day') {
    const single = rows('f.start', `${table} f where f.span = 1 and ${inside('f.start', from, until)}`)
    return `${single} union all ${deltas}`
  }
  const spans = `unnest(${parameters.value(edges.spans)}::smallint[], ${parameters.value(edges.starts)}::integer[])`
  const parts = [
    rows('', `${spans} c (span, day) join ${table} f on f.span = c.span and f.start = ${dayZero} + c.day`),
    rows('', `${table} f where f.span = 256 and ${inside('f.start', day(whole.from), day(whole.until))}`),
    deltas,
  ]
  return parts.join(' union all ')
}

/** The smallest table that knows what is asked for. */
function tableWith(keys: readonly unknown[], person: Person | null): string {
  if (person !== null || keys.includes('stream_id')) return 'stream_totals'
  return keys.includes('offer_id') ? 'offer_totals' : 'source_totals'
}

/** A report's column, or `none` for leads whose state counts in none. */
export type LeadColumn = (typeof reportColumns)[number] | 'none'

/** SQL of how many leads are meant, as one value: exact, and without reading them. */
export function leadCountText(
  parameters: Where,
  leads: LeadsMeant & { column?: LeadColumn | undefined },
  person: Person | null,
): string {
  const { column = 'leads' } = leads
  const none = `f.leads - ${reportColumns.map((each) => `f.${each}`).join(' - ')}`
  const n = `${column === 'none' ? none : `f.${column}`} as n`
  return `(select coalesce(sum(n), 0)::bigint from (${figureRowsText(parameters, [n], leads, person)}) f)`
}
