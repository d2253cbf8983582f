import { dimensions } from '@karvon/contract/explore/explore.dimensions.ts'
import type { ExploreAnswer, ExploreFigures } from '@karvon/contract/explore/explore.ts'
import type { MetricName } from '@karvon/contract/explore/explore.metrics.ts'
import { listPlacedRows } from '@karvon/contract/explore/explore.series.ts'
import { maxMessageRows } from '@karvon/contract/lib/limits.ts'
import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import { fillText, formatLocalDay } from '../../platform/texts/texts.ts'
import {
  describeCurrencies,
  formatChange,
  formatDimension,
  formatMember,
  formatMetric,
  formatMetricName,
} from './view-messages.format.ts'
import { fitFilters, fitText } from './view-messages.fit.ts'
import { messageTexts } from './view-messages.texts.ts'

/** A name of a key longer than this is cut. */
const maxMemberName = 60

interface MessageOptions {
  readonly name: string
  readonly language: PersonLanguage
  /** The address of the view in the web; null if the installation has none. */
  readonly link: string | null
  /** One line for each. */
  readonly filters: readonly string[]
  /** The main currency. */
  readonly currency: string
  readonly maxLength: number
}

/**
 * The plain text of a message: name, period, filters, totals with their changes, and the top rows of the first metric.
 * It leaves out the last rows, and then totals, that exceed `maxLength`.
 */
export function composeText(
  answer: ExploreAnswer,
  { name, language, link, filters, currency, maxLength }: MessageOptions,
): string {
  const { totals, meta } = answer
  const head = [
    name,
    fillText(messageTexts.period, language, { period: formatPeriod(meta.period, language) }),
    ...(meta.compared_period === null
      ? []
      : [
          fillText(messageTexts.compared, language, { period: formatPeriod(meta.compared_period, language) }),
        ]),
    ...fitFilters(filters, { language, maxLength }),
  ]
  const tail = link === null ? [] : ['', link]
  if (meta.row_totals.length === 0) {
    const total = ['', fillText(messageTexts.empty, language)]
    return fitText({ head, total, title: '', rows: [], writeTail: () => tail, maxLength })
  }
  const [firstMetric = 'leads'] = meta.metrics
  const sums = meta.metrics.map(
    (metric) => `${formatMetricName(metric, language)}: ${formatFigures(totals, metric, language)}`,
  )
  const currencies = describeCurrencies(meta.metrics, { codes: meta.currencies, currency, language })
  const rows = pickRows(meta).map(({ member, ...figures }) => {
    const label = formatMember(meta.rows, member, language).slice(0, maxMemberName).toWellFormed()
    return `${label}: ${formatFigures(figures, firstMetric, language)}`
  })
  const title = fillText(messageTexts.top, language, {
    dimension: formatDimension(meta.rows, language),
    metric: formatMetricName(firstMetric, language),
  })
  const writeMore = (shownCount: number) => {
    const rowsLeft = meta.row_totals.length - shownCount
    return rowsLeft > 0 ? [fillText(messageTexts.more, language, { rows: rowsLeft })] : []
  }
  return fitText({
    head,
    total: ['', fillText(messageTexts.total, language), ...sums, ...currencies],
    title,
    rows,
    writeTail: (shownCount) => [...writeMore(shownCount), ...tail],
    maxLength,
  })
}

/** The newest rows of a time dimension, and the first rows of any other dimension. */
function pickRows(meta: ExploreAnswer['meta']) {
  const rows = listPlacedRows(meta)
  const isPeriod = dimensions[meta.rows].kind === 'period'
  return isPeriod ? rows.slice(-maxMessageRows).toReversed() : rows.slice(0, maxMessageRows)
}

function formatFigures(
  { metrics, compared }: ExploreFigures,
  metric: MetricName,
  language: PersonLanguage,
): string {
  const text = formatMetric(metric, metrics[metric] ?? null, language)
  const change = compared?.[metric]
  return change === undefined ? text : `${text} (${formatChange(metric, change, language)})`
}

function formatPeriod({ start, end }: ExploreAnswer['meta']['period'], language: PersonLanguage): string {
  if (start === null && end === null) return fillText(messageTexts.allTime, language)
  const [from, to] = [start, end].map((day) => (day === null ? '…' : formatLocalDay(day, language)))
  return from === to ? (from ?? '') : `${from} – ${to}`
}
