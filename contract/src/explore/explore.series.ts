import { dimensions, getMemberKey, type DimensionName } from './explore.dimensions.ts'
import type { ExploreAnswer, ExploreFigures, ExploreMargin, Member } from './explore.ts'
import { metricKinds, type MetricName } from './explore.metrics.ts'

/**
 * The names of the keys and metrics in the language of the reader. `before` names the figures of the compared period.
 */
export interface SeriesNames {
  member(dimension: DimensionName, member: Member): string
  metric(metric: MetricName): string
  before(name: string): string
}

/** The values of a series, one for each row. Rates are in percent. Null where there is no value. */
export interface ChartSeries {
  readonly name: string
  readonly values: readonly (number | null)[]
}

export interface ExploreSeries {
  readonly metric: MetricName
  readonly labels: readonly string[]
  readonly series: readonly ChartSeries[]
  /** The number of all series, with those that are not shown. */
  readonly total: number
}

/** A reader cannot distinguish more lines or parts. */
const maxSeries = 6

const valueOf = (
  metric: MetricName,
  figures: ExploreFigures | undefined,
  isCompared = false,
): number | null => {
  const value = isCompared ? figures?.compared?.[metric]?.value : figures?.metrics[metric]
  if (value === null || value === undefined) return null
  return metricKinds[metric] === 'rate' ? value * 100 : value
}

/** The row totals in their order. The rest of a time is of the oldest days, and has no place behind the newest one. */
export const listPlacedRows = ({ rows, row_totals }: ExploreAnswer['meta']): ExploreMargin[] =>
  dimensions[rows].kind === 'period' ? row_totals.filter(({ member }) => member.kind !== 'rest') : row_totals

/** The first metric of an answer: one series for each column, or the figure and the compared figure. */
export function buildSeries({ items, meta }: ExploreAnswer, names: SeriesNames): ExploreSeries {
  const { rows, columns, column_totals } = meta
  const [metric = 'leads'] = meta.metrics
  const shownRows = listPlacedRows(meta)
  const labels = shownRows.map(({ member }) => names.member(rows, member))
  if (columns === null) {
    const name = names.metric(metric)
    const series = [{ name, values: shownRows.map((row) => valueOf(metric, row)) }]
    if (meta.compared_period !== null)
      series.push({
        name: names.before(name),
        values: shownRows.map((row) => valueOf(metric, row, true)),
      })
    return { metric, labels, series, total: series.length }
  }
  const cells = new Map(items.map((item) => [`${getMemberKey(item.row)} ${getMemberKey(item.column)}`, item]))
  const isSum = metricKinds[metric] === 'count' || metricKinds[metric] === 'money'
  const series = column_totals.slice(0, maxSeries).map(({ member }) => ({
    name: names.member(columns, member),
    values: shownRows.map((row) => {
      const cell = cells.get(`${getMemberKey(row.member)} ${getMemberKey(member)}`)
      return cell === undefined && isSum ? 0 : valueOf(metric, cell)
    }),
  }))
  return { metric, labels, series, total: column_totals.length }
}

/** More bars than these are too thin. The table has all rows. */
export const maxBars = 60

/**
 * The first {@link maxBars} rows of a series: the newest ones of a time dimension, and the largest ones of any other
 * dimension.
 */
export function limitBars(data: ExploreSeries, rows: DimensionName): ExploreSeries {
  const isPeriod = dimensions[rows].kind === 'period'
  const cutItems = <Value>(items: readonly Value[]) =>
    isPeriod ? items.slice(-maxBars) : items.slice(0, maxBars)
  const series = data.series.map(({ name, values }) => ({ name, values: cutItems(values) }))
  return { ...data, labels: cutItems(data.labels), series }
}
