import { reportColumns } from '@karvon/contract/lib/report-columns.ts'
import type { Viewer } from '../../platform/http/guard.ts'
import type { Where } from '../../resources/lists.where.ts'
import { splitPeriod, dayZero, type DayRange, type SpanList } from './rollups.ranges.ts'

/** The columns that a report can group by. */
export type Grouping = 'day' | 'source_id' | 'offer_id' | 'stream_id'

/** Validated filters that rollups support. Id 0 of an offer or a stream finds leads without one; days are inclusive. */
export interface RollupFilter {
  source_id?: number | readonly number[] | undefined
  offer_id?: number | readonly number[] | undefined
  stream_id?: number | readonly number[] | undefined
  start_date?: string | undefined
  end_date?: string | undefined
}

/** SQL condition: the source of the row `t` is one that the role of the viewer may see. */
export const ownSourceCondition = (parameters: Where, t: string, { roleId }: Viewer) =>
  `${t}.source_id in (select source_id from role_source_access where role_id = ${parameters.addParameter(roleId)})`

/** SQL condition: the row `t` belongs to a stream of the viewer, who is not an admin, at a source that the role may see. */
export const ownLeadCondition = (parameters: Where, t: string, viewer: Viewer): string =>
  `${t}.stream_id in (select id from streams where user_id = ${parameters.addParameter(viewer.userId)})
    and ${ownSourceCondition(parameters, t, viewer)}`

/** In `buyer_days`, the buyer of leads without a stream. Buyer 0 has the streams without a buyer. */
export const buyerWithoutStream = -1

/** SQL: the buyer in `buyer_days` of the row `t`. `s` is its stream, or null. */
export const buyerSql = (t: string, s: string): string =>
  `coalesce(${s}.user_id, case ${t}.stream_id when 0 then ${buyerWithoutStream} else 0 end)`

/**
 * SQL of rows whose sums are the figures of the filtered leads: totals of the added spans, negative totals of the
 * subtracted spans, and deltas that are not folded yet. `select` contains expressions over the figures of the row
 * `f`, by name. `groupBy` adds the group column as `key`. The number of rows does not depend on the number of leads.
 */
export function figureRowsSql(
  parameters: Where,
  {
    select,
    filter,
    viewer,
    groupBy,
  }: {
    select: Readonly<Record<string, string>>
    filter: RollupFilter
    viewer: Viewer | null
    groupBy?: Grouping | undefined
  },
): string {
  const { added, subtracted, longestSpans, days } = splitPeriod(filter.start_date, filter.end_date)
  const value = (parameter: unknown) => parameters.addParameter(parameter)
  const isBetween = (column: string, { from, until }: DayRange) =>
    `${column} >= ${dayZero} + ${value(from)}::integer and ${column} < ${dayZero} + ${value(until)}::integer`

  const keys = (['source_id', 'offer_id', 'stream_id'] as const).filter((key) => filter[key] !== undefined)
  const filterConditions = keys.map((key) =>
    parameters.writeOneOf(`f.${key}`, [filter[key]].flat(), 'bigint'),
  )
  const ownConditions = viewer === null ? [] : [ownLeadCondition(parameters, 'f', viewer)]
  const selectRows = (
    expressions: readonly string[],
    { key, from, conditions }: { key: string; from: string; conditions: readonly string[] },
  ) =>
    `select ${[...(groupBy === undefined ? [] : [`${key} as key`]), ...expressions].join(', ')}
      from ${from} where ${[...conditions, ...filterConditions].join(' and ')}`
  const columns = Object.entries(select).map(([name, expression]) => `${expression} as ${name}`)
  const rows = (key: string, from: string, ...conditions: string[]) =>
    selectRows(columns, { key, from, conditions })

  const deltas = (key: string) => rows(key, 'lead_deltas f', isBetween('f.day', days), ...ownConditions)
  if (groupBy === 'day') {
    const dayRows =
      viewer === null
        ? rows('f.start', 'source_totals f', 'f.span = 1', isBetween('f.start', days))
        : rows(
            'f.day',
            'buyer_days f',
            `f.user_id = ${value(viewer.userId)}`,
            ownSourceCondition(parameters, 'f', viewer),
            isBetween('f.day', days),
          )
    return `${dayRows} union all ${deltas('f.day')}`
  }
  const table = smallestTable([...keys, groupBy], viewer)
  const joinTable = (
    list: SpanList,
  ) => `unnest(${value(list.lengths)}::smallint[], ${value(list.starts)}::integer[])
    c (span, day) join ${table} f on f.span = c.span and f.start = ${dayZero} + c.day`
  const negatedColumns = Object.values(select).map((expression) => `-(${expression})`)
  return [
    rows(`f.${groupBy}`, joinTable(added), 'true', ...ownConditions),
    selectRows(negatedColumns, {
      key: `f.${groupBy}`,
      from: joinTable(subtracted),
      conditions: ['true', ...ownConditions],
    }),
    rows(`f.${groupBy}`, `${table} f`, 'f.span = 256', isBetween('f.start', longestSpans), ...ownConditions),
    deltas(`f.${groupBy}`),
  ].join(' union all ')
}

/** Returns the smallest rollup table that has all the columns. */
function smallestTable(keys: readonly unknown[], viewer: Viewer | null): string {
  if (viewer !== null || keys.includes('stream_id')) return 'stream_totals'
  return keys.includes('offer_id') ? 'offer_totals' : 'source_totals'
}

/** A report column, or `none` for leads whose status is in no column. */
export type LeadColumn = (typeof reportColumns)[number] | 'none'

/** SQL of the exact number of filtered leads, from the rollups. It reads no leads. */
export function leadCountSql(
  parameters: Where,
  filter: RollupFilter & { column?: LeadColumn | undefined },
  viewer: Viewer | null,
): string {
  const { column = 'leads' } = filter
  const noneExpression = `f.leads - ${reportColumns.map((reportColumn) => `f.${reportColumn}`).join(' - ')}`
  const n = column === 'none' ? noneExpression : `f.${column}`
  return `(select coalesce(sum(n), 0)::bigint from (${figureRowsSql(parameters, { select: { n }, filter, viewer })}) f)`
}

/** SQL of the profit of each person at each source: `user_id`, `source_id`, `profit`. It reads no leads. */
export const ownerProfitSql = `select user_id, source_id, sum(profit) as profit from (
    select user_id, source_id, profit from buyer_days where user_id > 0
    union all
    select s.user_id, d.source_id, d.profit from lead_deltas d join streams s on s.id = d.stream_id
    where s.user_id is not null
  ) p group by user_id, source_id`
