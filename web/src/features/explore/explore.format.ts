import { metricKinds, type MetricName } from '@karvon/contract/explore/explore.metrics.ts'
import { missingValue } from '../../lib/format/missing.ts'
import { formatFigure } from '../../lib/format/money.format.ts'
import { formatNumber, formatRate } from '../../lib/format/number.format.ts'
import { exploreTexts as texts } from './explore.texts.ts'

/** A metric as text. */
export const formatMetric = (metric: MetricName, value: number | null | undefined): string =>
  metricKinds[metric] === 'rate' ? formatRate(value) : formatFigure(value)

/** A difference with its sign: of a rate in points. */
export function formatDifference(metric: MetricName, difference: number | null): string {
  if (difference === null) return missingValue
  const text = formatMetric(metric, difference).replace('-', '−')
  return difference > 0 ? `+${text}` : text
}

export const formatPercent = (percent: number | null): string =>
  percent === null
    ? texts.noPercent
    : `${percent > 0 ? '+' : ''}${formatNumber(percent, 1, '.').replace('-', '−')}%`
