import type { DuckRow } from './duckdb.ts'
import { shape } from './leads.generate.queries.ts'

/** The query parameters of a report. */
export interface Query {
  start_date?: string
  end_date?: string
  source_id?: number
  sort?: string
  per_page?: number
  page?: number
}

/** The viewer of a report: an admin sees all leads, a person those of their own streams. */
export type Reader = 'admin' | { userId: number; roleId: number }

const keys = {
  stats: 'source_id',
  fin: 'source_id',
  daily: 'day',
  offers: 'offer_id',
  streams: 'stream_id',
} as const
export type CountedKind = keyof typeof keys
export const isCounted = (kind: string): kind is CountedKind => kind in keys

const columns = ['leads', 'accepted', 'cancel', 'recall', 'send', 'sold', 'returned', 'hold'] as const
const sums = [...columns, 'profit', 'hold_amount'] as const

const nextDay = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/**
 * Builds the GROUP BY over the leads that equals a report, for PostgreSQL or DuckDB. Both can skip other periods:
 * PostgreSQL by an index on the time, DuckDB by the smallest and largest day of each block.
 */
export function buildGroupSql(
  kind: CountedKind,
  query: Query,
  viewer: Reader,
  database: 'postgres' | 'duckdb',
): string {
  const { start_date: start, end_date: end, source_id: source } = query
  const from =
    database === 'postgres'
      ? (day: string) => `l.created_at >= '${day}'`
      : (day: string) => `l.day >= '${day}'`
  const until =
    database === 'postgres' ? (day: string) => `l.created_at < '${day}'` : (day: string) => `l.day < '${day}'`
  const conditions = [
    ...(start === undefined ? [] : [from(start)]),
    ...(end === undefined ? [] : [until(nextDay(end))]),
    ...(source === undefined ? [] : [`l.source_id = ${source}`]),
    ...ownLeadsSql(viewer),
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

/** The conditions that a lead `l` is one of a viewer. */
export const ownLeadsSql = (viewer: Reader): string[] =>
  viewer === 'admin'
    ? []
    : [
        `l.stream_id in (select id from streams where user_id = ${viewer.userId})`,
        `l.source_id in (select source_id from role_source_access where role_id = ${viewer.roleId})`,
      ]

/** A row of a report's answer. */
export type ReportRow = Record<string, string | number | null>

/** Compares all rows of a report with the recount, to the cent. Throws at the first difference. */
export function compareRows(
  kind: CountedKind,
  rows: readonly ReportRow[],
  recount: readonly DuckRow[],
): void {
  const figures = kind === 'fin' ? (['profit', 'hold_amount'] as const) : sums
  const answeredRows = new Map(rows.map((row) => [String(kind === 'daily' ? row['date'] : row['id']), row]))
  const countedRows = new Map(recount.map((row) => [String(row['key']), row]))
  const missing = [...countedRows.keys()].filter((key) => !answeredRows.has(key))
  // fin has a row for sources without leads, too.
  const extraKeys = [...answeredRows.keys()].filter((key) => !countedRows.has(key) && kind !== 'fin')
  if (answeredRows.size !== rows.length || missing.length > 0 || extraKeys.length > 0)
    throw new Error(
      `${kind}: ${rows.length} rows, counted ${countedRows.size}; missing ${missing[0]}, more ${extraKeys[0]}`,
    )
  for (const [key, row] of answeredRows) {
    const right = countedRows.get(key)
    for (const figure of figures) {
      const is = Number(row[figure])
      const be = Number(right?.[figure] ?? 0)
      if (Math.abs(is - be) > 0.001) throw new Error(`${kind} ${key}: ${figure} is ${is}, counted ${be}`)
    }
  }
}

/** The largest number of groups, so that a check reads every page. */
export const groupsAtMost: Record<CountedKind, number> = {
  stats: shape.sources,
  fin: shape.sources,
  daily: shape.days,
  offers: shape.offers + 1,
  streams: shape.streams + 1,
}
