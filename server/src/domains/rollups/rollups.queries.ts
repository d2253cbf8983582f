import { reportColumns } from '@karvon/contract/lib/report-columns.ts'
import type { Identity } from '../../platform/http/guard.ts'
import type { Where } from '../../resources/lists.where.ts'
import { coverOf, dayZero, type Days, type Parts } from './rollups.cover.ts'

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

const ownSource = (parameters: Where, t: string, { roleId }: Person) =>
  `${t}.source_id in (select source_id from role_source_access where role_id = ${parameters.value(roleId)})`

/** The condition that the row `t` is of an own stream of that person, at a source that their role may see. */
export const ownOf = (parameters: Where, t: string, person: Person): string =>
  `${t}.stream_id in (select id from streams where user_id = ${parameters.value(person.userId)})
    and ${ownSource(parameters, t, person)}`

/**
 * SQL of rows that add up to the figures of the leads that are meant: totals of the spans that the period is
 * made of, negative ones of the spans it lacks, and deltas that are in no total yet. `select` names sums over
 * the figures of the row `f`; `by` adds what to group them by, as `key`. Few rows, however many leads.
 */
export function figureRowsText(
  parameters: Where,
  select: Readonly<Record<string, string>>,
  leads: LeadsMeant,
  person: Person | null,
  by?: Grouping,
): string {
  const { plus, minus, whole, days } = coverOf(leads.start_date, leads.end_date)
  const value = (each: unknown) => parameters.value(each)
  const during = (column: string, { from, until }: Days) =>
    `${column} >= ${dayZero} + ${value(from)}::integer and ${column} < ${dayZero} + ${value(until)}::integer`

  const keys = (['source_id', 'offer_id', 'stream_id'] as const).filter((key) => leads[key] !== undefined)
  const meant = keys.map((key) => `f.${key} = ${value(leads[key])}`)
  const own = person === null ? [] : [ownOf(parameters, 'f', person)]
  const rowsOf = (columns: readonly string[], key: string, from: string, ...conditions: string[]) =>
    `select ${[...(by === undefined ? [] : [`${key} as key`]), ...columns].join(', ')}
      from ${from} where ${[...conditions, ...meant].join(' and ')}`
  const named = Object.entries(select).map(([name, expression]) => `${expression} as ${name}`)
  const rows = (key: string, from: string, ...conditions: string[]) => rowsOf(named, key, from, ...conditions)

  const deltas = (key: string) => rows(key, 'lead_deltas f', during('f.day', days), ...own)
  if (by === 'day') {
    const single =
      person === null
        ? rows('f.start', 'source_totals f', 'f.span = 1', during('f.start', days))
        : rows(
            'f.day',
            'owner_days f',
            `f.user_id = ${value(person.userId)}`,
            ownSource(parameters, 'f', person),
            during('f.day', days),
          )
    return `${single} union all ${deltas('f.day')}`
  }
  const table = tableWith([...keys, by], person)
  const each = (parts: Parts) => `unnest(${value(parts.spans)}::smallint[], ${value(parts.starts)}::integer[])
    c (span, day) join ${table} f on f.span = c.span and f.start = ${dayZero} + c.day`
  const negated = Object.values(select).map((expression) => `-(${expression})`)
  return [
    rows(`f.${by}`, each(plus), 'true', ...own),
    rowsOf(negated, `f.${by}`, each(minus), 'true', ...own),
    rows(`f.${by}`, `${table} f`, 'f.span = 256', during('f.start', whole), ...own),
    deltas(`f.${by}`),
  ].join(' union all ')
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
  const n = column === 'none' ? none : `f.${column}`
  return `(select coalesce(sum(n), 0)::bigint from (${figureRowsText(parameters, { n }, leads, person)}) f)`
}
