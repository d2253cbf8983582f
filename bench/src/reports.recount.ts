import type { DuckRow } from './duckdb.ts'
import { shape } from './leads.generate.queries.ts'

/** What a report is asked for, as it stands in the URL. */
export interface Query {
  start_date?: string
  end_date?: string
  source_id?: number
  sort?: string
  per_page?: number
  page?: number
}

/** Whose report: an admin's over everything, or a person's over their own streams. */
export type Who = 'admin' | { userId: number; roleId: number }

const keys = {
  stats: 'source_id',
  fin: 'source_id',
  daily: 'day',
  offers: 'offer_id',
  streams: 'stream_id',
} as const
export type Counted = keyof typeof keys
export const isCounted = (kind: string): kind is Counted => kind in keys

const columns = ['leads', 'accepted', 'cancel', 'recall', 'send', 'sold', 'returned', 'hold'] as const
const sums = [...columns, 'profit', 'hold_amount'] as const

const nextDay = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/**
 * The GROUP BY over the leads that a report stands for, for PostgreSQL or DuckDB. PostgreSQL has an index on the
 * leads' time, DuckDB keeps the least and largest day of each block: both can leave out what is not asked for.
 */
export function groupText(kind: Counted, query: Query, who: Who, by: 'postgres' | 'duckdb'): string {
  const { start_date: start, end_date: end, source_id: source } = query
  const from =
    by === 'postgres' ? (day: string) => `l.created_at >= '${day}'` : (day: string) => `l.day >= '${day}'`
  const until =
    by === 'postgres' ? (day: string) => `l.created_at < '${day}'` : (day: string) => `l.day < '${day}'`
  const conditions = [
    ...(start === undefined ? [] : [from(start)]),
    ...(end === undefined ? [] : [until(nextDay(end))]),
    ...(source === undefined ? [] : [`l.source_id = ${source}`]),
    ...(who === 'admin'
      ? []
      : [
          `l.stream_id in (select id from streams where user_id = ${who.userId})`,
          `l.source_id in (select source_id from role_source_access where role_id = ${who.roleId})`,
        ]),
  ]
  return `select l.${keys[kind]} as key, count(*) as leads,
    ${columns
      .slice(1)
      .map((code) => `count(*) filter (where st.code = '${code}') as ${code}`)
      .join(', ')},
    coalesce(sum(l.payout) filter (where st.code = 'sold'), 0) as profit,
    coalesce(sum(l.payout) filter (where st.code = 'hold'), 0) as hold_amount
  from leads l left join statuses s on s.id = l.status_id left join status_types st on st.id = s.type_id
  ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`} group by 1`
}

/** A report's row over the wire. */
export type ReportRow = Record<string, string | number | null>

/** Throws at the first difference between all rows of a report and the recount of its leads, to the cent. */
export function compareRows(kind: Counted, rows: readonly ReportRow[], recount: readonly DuckRow[]): void {
  const figures = kind === 'fin' ? (['profit', 'hold_amount'] as const) : sums
  const told = new Map(rows.map((row) => [String(kind === 'daily' ? row['date'] : row['id']), row]))
  const counted = new Map(recount.map((row) => [String(row['key']), row]))
  const missing = [...counted.keys()].filter((key) => !told.has(key))
  // fin has a row for sources without leads, too.
  const more = [...told.keys()].filter((key) => !counted.has(key) && kind !== 'fin')
  if (told.size !== rows.length || missing.length > 0 || more.length > 0)
    throw new Error(
      `${kind}: ${rows.length} rows, counted ${counted.size}; missing ${missing[0]}, more ${more[0]}`,
    )
  for (const [key, row] of told) {
    const right = counted.get(key)
    for (const figure of figures) {
      const is = Number(row[figure])
      const be = Number(right?.[figure] ?? 0)
      if (Math.abs(is - be) > 0.001) throw new Error(`${kind} ${key}: ${figure} is ${is}, counted ${be}`)
    }
  }
}

/** Groups at most, so that a check reads every page. */
export const groupsAtMost: Record<Counted, number> = {
  stats: shape.sources,
  fin: shape.sources,
  daily: shape.days,
  offers: shape.offers + 1,
  streams: shape.streams + 1,
}
