import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { Compared, Member } from '@karvon/contract/explore/explore.ts'
import { isMoneyMetric, metricKinds, type MetricName } from '@karvon/contract/explore/explore.metrics.ts'
import type { SeriesNames } from '@karvon/contract/explore/explore.series.ts'
import { nameCurrencies } from '@karvon/contract/lib/currency-names.ts'
import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import {
  fillText,
  formatLocalAmount,
  formatLocalDay,
  formatLocalPercent,
  toLine,
} from '../../platform/texts/texts.ts'
import { dimensionTexts, metricNameTexts, weekdayTexts } from './view-messages.names.ts'
import { messageTexts } from './view-messages.texts.ts'

/** The name of a key of a dimension, as on the screen. */
export function formatMember(
  dimension: DimensionName,
  { kind, key, name }: Member,
  language: PersonLanguage,
): string {
  if (kind === 'rest') return fillText(messageTexts.rest, language)
  if (kind === 'none' || key === null) return fillText(messageTexts.none, language)
  if (dimension === 'day' || dimension === 'week') return formatLocalDay(key, language)
  if (dimension === 'month') return formatLocalDay(key, language).slice(3)
  if (dimension === 'hour') return `${key.padStart(2, '0')}:00`
  const weekday = dimension === 'weekday' ? weekdayTexts[key] : undefined
  return weekday === undefined ? toLine(name ?? key) : fillText(weekday, language)
}

export const formatDimension = (name: DimensionName, language: PersonLanguage): string =>
  fillText(dimensionTexts[name], language)

export const formatMetricName = (metric: MetricName, language: PersonLanguage): string =>
  fillText(metricNameTexts[metric], language)

/** A metric as text: a rate in percent, an amount with at most two decimals. */
export function formatMetric(metric: MetricName, value: number | null, language: PersonLanguage): string {
  if (value === null) return '—'
  return metricKinds[metric] === 'rate'
    ? formatLocalPercent(value * 100, language)
    : formatLocalAmount(value.toFixed(2), language)
}

/** The currencies of the amounts among the metrics; no line if there is no amount, or all amounts are in the main currency. */
export function describeCurrencies(
  metrics: readonly MetricName[],
  { codes, currency, language }: { codes: readonly string[]; currency: string; language: PersonLanguage },
): string[] {
  const currencies = nameCurrencies(codes, currency)
  return currencies === '' || !metrics.some(isMoneyMetric)
    ? []
    : [fillText(messageTexts.currencies, language, { currencies })]
}

const sign = (value: number, text: string) => (value > 0 ? `+${text}` : text.replace('-', '−'))

/** A change as text: "+3; +150.0%". The change of a rate is in points. */
export function formatChange(
  metric: MetricName,
  { difference, percent }: Compared,
  language: PersonLanguage,
): string {
  if (difference === null) return '—'
  const change = sign(difference, formatMetric(metric, difference, language))
  if (metricKinds[metric] === 'rate' || difference === 0) return change
  const part =
    percent === null
      ? fillText(messageTexts.noPercent, language)
      : sign(percent, formatLocalPercent(percent, language))
  return `${change}; ${part}`
}

/** The names of series in a language. */
export const getSeriesNames = (language: PersonLanguage): SeriesNames => ({
  member: (dimension, member) => formatMember(dimension, member, language),
  metric: (metric) => formatMetricName(metric, language),
  before: (name) => fillText(messageTexts.before, language, { name }),
})
