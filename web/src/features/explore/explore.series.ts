import type { ExploreAnswer, ExploreFigures, Member } from '@karvon/contract/explore/explore.ts'
import { metricKinds, type MetricName } from '@karvon/contract/explore/explore.metrics.ts'
import { formatMember } from './explore.format.ts'
import { exploreTexts as texts } from './explore.texts.ts'

/** The values of a series, one for each row. Rates are in percent. Null where there is no value. */
export interface ChartSeries {
  readonly name: string
  readonly values: readonly (number | null)[]
}

export interface ExploreSeries {
  readonly metric: MetricName
  readonly labels: readonly string[]
  readonly series: readonly ChartSeries[]
  /** The number of series before the cut. */
  readonly total: number
}

/** More lines or parts than these cannot be told apart. */
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

const keyOf = (member: Member | null) => `${member?.kind ?? ''} ${member?.key ?? ''}`

/** The first metric of an answer: one series for each column, or the figure and the compared figure. */
export function buildSeries({ items, meta }: ExploreAnswer): ExploreSeries {
  const { rows, columns, row_totals, column_totals } = meta
  const [metric = 'leads'] = meta.metrics
  const labels = row_totals.map(({ member }) => formatMember(rows, member))
  if (columns === null) {
    const name = texts.metricNames[metric]
    const series = [{ name, values: row_totals.map((row) => valueOf(metric, row)) }]
    if (meta.compared_period !== null)
      series.push({
        name: texts.before({ name }),
        values: row_totals.map((row) => valueOf(metric, row, true)),
      })
    return { metric, labels, series, total: series.length }
  }
  const cells = new Map(items.map((item) => [`${keyOf(item.row)} ${keyOf(item.column)}`, item]))
  const isSum = metricKinds[metric] === 'count' || metricKinds[metric] === 'money'
  const series = column_totals.slice(0, maxSeries).map(({ member }) => ({
    name: formatMember(columns, member),
    values: row_totals.map((row) => {
      const cell = cells.get(`${keyOf(row.member)} ${keyOf(member)}`)
      return cell === undefined && isSum ? 0 : valueOf(metric, cell)
    }),
  }))
  return { metric, labels, series, total: column_totals.length }
}
