import { maxExploreMetrics } from '../lib/limits.ts'
import { anyValue } from '../lib/page.ts'
import { dimensionNames, type DimensionName } from './explore.dimensions.ts'
import { readFilters, writeFilters, type ExploreFilters } from './explore.filters.ts'
import { metricNames, type MetricName } from './explore.metrics.ts'
import { periodNames, type PeriodName } from '../lib/period-names.ts'
import { comparisonNames } from './explore.periods.ts'
import type { ExploreQuery } from './explore.ts'

export const explorePath = '/explore'

/** How the figures are shown. A pivot needs columns. */
export const viewNames = ['table', 'pivot', 'line', 'bars'] as const
export type ViewName = (typeof viewNames)[number]

export const topSizes = ['5', '10', '20', '50', '100', '200'] as const

/** The defaults of values that the address does not have. */
export const exploreDefaults: Readonly<Record<string, string>> = {
  rows: 'day',
  metrics: 'leads,approve_rate,profit',
  period: 'last_30_days',
  top: '20',
  view: 'table',
}

/** What the address asks for. Values that it does not know are left out. */
export interface ExploreState {
  readonly rows: DimensionName
  readonly columns: DimensionName | undefined
  readonly metrics: readonly MetricName[]
  readonly period: PeriodName | undefined
  readonly from: string | undefined
  readonly to: string | undefined
  readonly compare: ExploreQuery['compare']
  readonly top: (typeof topSizes)[number]
  readonly view: ViewName
  readonly filters: ExploreFilters
}

const findName = <Name extends string>(names: readonly Name[], value: string | undefined): Name | undefined =>
  names.find((name) => name === value)

/** Reads the query of an address, with {@link exploreDefaults} for what it does not have. */
export function readExploreAddress(search: Readonly<Record<string, string>>): ExploreState {
  const values = Object.entries({ ...exploreDefaults, ...search })
  return readExploreState(
    Object.fromEntries(values.filter(([key, value]) => value !== anyValue || !(key in exploreDefaults))),
  )
}

/** Reads the values of an address, defaults included. */
export function readExploreState(values: Readonly<Record<string, string>>): ExploreState {
  const rows = findName(dimensionNames, values.rows) ?? 'day'
  const columnsName = findName(dimensionNames, values.columns)
  const columns = columnsName === rows ? undefined : columnsName
  const validMetrics = (values.metrics ?? '').split(',').flatMap((name) => findName(metricNames, name) ?? [])
  const metrics = validMetrics.length === 0 ? (['leads'] as const) : validMetrics
  const view = findName(viewNames, values.view) ?? 'table'
  const hasDates = values.from !== undefined && values.to !== undefined
  return {
    rows,
    columns,
    metrics: columns === undefined ? metrics : metrics.slice(0, maxExploreMetrics),
    period: hasDates ? undefined : (findName(periodNames, values.period) ?? 'all'),
    from: hasDates ? values.from : undefined,
    to: hasDates ? values.to : undefined,
    compare: findName(comparisonNames, values.compare),
    top: findName(topSizes, values.top) ?? '20',
    view: view === 'pivot' && columns === undefined ? 'table' : view,
    filters: readFilters(values),
  }
}

/** The question of the call, with the filters as texts. A comparison needs a period with two ends. */
export function buildExploreQuery(state: ExploreState): ExploreSearch {
  const { rows, columns, metrics, period, from, to, compare, top, filters } = state
  const isOpen = period === 'all'
  return {
    rows,
    metrics: metrics.join(','),
    top_rows: Number(top),
    ...(columns !== undefined && { columns }),
    ...(period === undefined ? { date_from: from, date_to: to } : { period }),
    ...(compare !== undefined && !isOpen && { compare }),
    ...writeFilters(filters),
  }
}

/** A question as the query of its call. */
export type ExploreSearch = Readonly<
  Omit<{ [Name in keyof ExploreQuery]: ExploreQuery[Name] }, DimensionName> &
    Partial<Record<DimensionName, string>>
>
