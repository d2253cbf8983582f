import { metricNames, type MetricName } from '@karvon/contract/explore/explore.metrics.ts'
import { cutText } from '@karvon/contract/lib/cut-text.ts'
import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import { ExactNumber, type Cell } from '../../platform/exports/exports.cells.ts'
import type { ExportColumn } from '../../platform/exports/exports.columns.ts'
import { maxMessageFileRows } from '../../platform/limits/limits.ts'
import {
  fillText,
  formatLocalAmount,
  formatLocalDateTime,
  formatLocalDay,
  toLine,
} from '../../platform/texts/texts.ts'
import { columnTexts } from './view-messages.columns.ts'
import { describeCurrencies, formatMetric, formatMetricName } from './view-messages.format.ts'
import { fitFilters, fitText } from './view-messages.fit.ts'
import { messageTexts } from './view-messages.texts.ts'

/** Characters of one value of a row. */
const maxValue = 40

/** The first page of a list, as its route answers it. `totals` are the figures of a report. */
export interface ListPage {
  readonly items: readonly Record<string, unknown>[]
  readonly meta: {
    readonly filtered_total: number
    readonly totals?: Readonly<Partial<Record<MetricName, number | null>>>
    readonly currencies?: readonly string[]
  }
}

interface ListTextOptions {
  readonly name: string
  readonly language: PersonLanguage
  readonly timeZone: string
  /** The main currency. */
  readonly currency: string
  /** The address of the view in the web; null if the installation has none. */
  readonly link: string | null
  readonly query: Readonly<Record<string, string | number>>
  /** The filters without the period and the search, one line for each. */
  readonly filters: readonly string[]
  /** The columns of the export that the rows show. */
  readonly columns: readonly ExportColumn[]
  /** Whether a file is sent with the text. */
  readonly hasFile: boolean
  readonly maxLength: number
}

/** The plain text of a sent list: name, period, search, filters, number of rows, totals, the first rows, and what the file has. */
export function composeListText({ items, meta }: ListPage, options: ListTextOptions): string {
  const { name, language, link, query, columns, maxLength } = options
  const { filtered_total: count, totals = {}, currencies: codes = [] } = meta
  const head = [
    name,
    ...describePeriod(query, language),
    ...fitFilters(options.filters, { language, maxLength }),
    fillText(messageTexts.rows, language, { rows: count }),
  ]
  const sums = metricNames.flatMap((metric) => {
    const value = totals[metric]
    return value === undefined
      ? []
      : [`${formatMetricName(metric, language)}: ${formatMetric(metric, value, language)}`]
  })
  const shownMetrics = metricNames.filter(
    (metric) => totals[metric] !== undefined || columns.some((column) => column.name === metric),
  )
  const currencies = describeCurrencies(shownMetrics, { codes, currency: options.currency, language })
  const rows = items.map((item) => columns.map((column) => formatValue(column, item, options)).join(' · '))
  const tail = [...describeFile(count, options), ...(link === null ? [] : ['', link])]
  return fitText({
    head,
    total: sums.length === 0 ? [] : ['', fillText(messageTexts.total, language), ...sums, ...currencies],
    title: writeTitle(columns, language),
    rows,
    writeTail: (shownCount) => [...describeRest(count - shownCount, language), ...tail],
    maxLength,
  })
}

/** The period and the search. */
function describePeriod(query: ListTextOptions['query'], language: PersonLanguage): string[] {
  const { start_date, end_date, date_from, date_to, search: text, orderno, name } = query
  const start = start_date ?? date_from
  const end = end_date ?? date_to
  const search = text ?? orderno ?? name
  const days = [start, end].map((day) => (day === undefined ? '…' : formatLocalDay(String(day), language)))
  const period = days[0] === days[1] ? days[0] : days.join(' – ')
  return [
    ...(start === undefined && end === undefined
      ? []
      : [fillText(messageTexts.period, language, { period: period ?? '' })]),
    ...(search === undefined
      ? []
      : [fillText(messageTexts.search, language, { search: cutText(toLine(String(search)), maxValue) })]),
  ]
}

/** The names of the columns; those of a list with one column are clear by its view. */
function writeTitle(columns: readonly ExportColumn[], language: PersonLanguage): string {
  const names = columns.map(({ name }) => columnTexts[name])
  if (names.length < 2) return fillText(messageTexts.firstRows, language)
  return names.flatMap((text) => (text === undefined ? [] : [fillText(text, language)])).join(' · ')
}

const describeRest = (rows: number, language: PersonLanguage): string[] =>
  rows > 0 ? [fillText(messageTexts.moreRows, language, { rows })] : []

function describeFile(count: number, { language, hasFile }: ListTextOptions): string[] {
  if (!hasFile) return [fillText(messageTexts.fileTooLarge, language)]
  if (count <= maxMessageFileRows) return []
  return [fillText(messageTexts.fileCut, language, { max: maxMessageFileRows, rows: count })]
}

function formatValue(
  { readCell }: ExportColumn,
  item: Record<string, unknown>,
  { language, timeZone }: ListTextOptions,
): string {
  const value: Cell = readCell(item)
  if (value === null || value === '') return '—'
  if (typeof value === 'number' || value instanceof ExactNumber)
    return formatLocalAmount(String(value), language)
  if (typeof value !== 'string') return String(value)
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value))
    return formatLocalDateTime(value, language, timeZone)
  return /^\d{4}-\d\d-\d\d$/.test(value) ? formatLocalDay(value, language) : cutText(toLine(value), maxValue)
}
