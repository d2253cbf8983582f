import { reportColumns, type ReportColumn } from '../lib/report-columns.ts'
import { writeFilters, type ExploreFilters } from './explore.filters.ts'
import { dimensionNames, dimensions, type DimensionName } from './explore.dimensions.ts'
import type { Member } from './explore.ts'
import type { MetricName } from './explore.metrics.ts'
import { intersectPeriods, periodOf, type DayPeriod } from './explore.periods.ts'

/** A figure of an answer: the filters of the question, the days of the answer, and the members that the figure is of. */
export interface ExploreFigure {
  readonly filters: ExploreFilters
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
  filters,
  period,
  members,
  metric,
}: ExploreFigure): Record<string, string> | null {
  if (members.some(([, { kind }]) => kind === 'rest')) return null
  const keys: Partial<Record<DimensionName, readonly string[]>> = { ...filters }
  let days: DayPeriod = { start: period.start ?? undefined, end: period.end ?? undefined }
  for (const [name, { key }] of members)
    if (name === 'day' || name === 'week' || name === 'month')
      days = intersectPeriods(days, periodOf[name](key ?? ''))
    else keys[name] = [key ?? (dimensions[name].kind === 'text' ? '' : '0')]
  const { without, ...values } = writeFilters(keys)
  const search: Record<string, string> = {}
  for (const name of dimensionNames) {
    const { kind, leadFilter } = dimensions[name]
    if (kind !== 'period' && values[name] !== undefined) search[leadFilter] = values[name]
  }
  const column = findColumn(metric)
  return {
    ...search,
    ...(without !== undefined && { without }),
    ...(days.start !== undefined && { start_date: days.start }),
    ...(days.end !== undefined && { end_date: days.end }),
    ...(column !== undefined && { column }),
  }
}
