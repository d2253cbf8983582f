import { reportColumns, type ReportColumn } from '../lib/report-columns.ts'
import { dimensionNames, dimensions, type DimensionName } from './explore.dimensions.ts'
import type { ExploreQuery, Member } from './explore.ts'
import type { MetricName } from './explore.metrics.ts'
import { intersectPeriods, periodOf, type DayPeriod } from './explore.periods.ts'

/** A figure of an answer: the question, its days without the dates of the query, and the members that the figure is of. */
export interface ExploreFigure {
  readonly query: Readonly<ExploreQuery>
  readonly period: { readonly start: string | null; readonly end: string | null }
  readonly members: readonly (readonly [DimensionName, Member])[]
  readonly metric: MetricName
}

/** The report column whose leads a metric adds up; undefined for all leads. */
function findColumn(metric: MetricName): ReportColumn | undefined {
  if (metric === 'profit' || metric === 'average_payout') return 'sold'
  if (metric === 'hold_amount') return 'hold'
  return reportColumns.find((column) => column === metric)
}

/**
 * The parameters of the list of leads that find the leads of a figure. Null for the rest, which no filter finds. The figure
 * `leads` is the number of leads in this list.
 */
export function findLeadsSearch({
  query,
  period,
  members,
  metric,
}: ExploreFigure): Record<string, string> | null {
  if (members.some(([, { kind }]) => kind === 'rest')) return null
  const search: Record<string, string> = {}
  const without = new Set(query.without?.split(',').filter((name) => name !== ''))
  let days: DayPeriod = { start: period.start ?? undefined, end: period.end ?? undefined }
  for (const name of dimensionNames) {
    const value = query[name]
    if (value !== undefined && dimensions[name].kind !== 'period')
      search[dimensions[name].leadFilter] = String(value)
  }
  for (const [name, { key }] of members) {
    const { kind, leadFilter } = dimensions[name]
    if (kind === 'text' && key === null) without.add(name)
    else if (name === 'day' || name === 'week' || name === 'month')
      days = intersectPeriods(days, periodOf[name](key ?? ''))
    else search[leadFilter] = key ?? '0'
  }
  const column = findColumn(metric)
  return {
    ...search,
    ...(without.size > 0 && { without: [...without].join(',') }),
    ...(days.start !== undefined && { start_date: days.start }),
    ...(days.end !== undefined && { end_date: days.end }),
    ...(column !== undefined && { column }),
  }
}
