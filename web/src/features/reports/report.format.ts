import { formatNumber } from '../../lib/format/number.format.ts'
import { formatMoney } from '../../lib/format/money.format.ts'
import { reportTexts as texts } from './reports.texts.ts'

/** A rate from 0 to 1 as percent: `58.1%`. A dash when it is missing. */
export function formatRate(rate: number | null | undefined, decimals = 1): string {
  return typeof rate === 'number' ? `${formatNumber(rate * 100, decimals, '.')}%` : texts.none
}

/** A difference with its sign: `+99.5`, `−1 284`, `0`. A dash when there is nothing to compare. */
export function formatDifference(value: number | null | undefined): string {
  if (typeof value !== 'number' || value === 0) return formatFigure(value)
  return `${value < 0 ? '−' : '+'}${formatFigure(Math.abs(value))}`
}

/** An amount or a count: `1 284`, `99.5`. A dash when it is missing. */
export function formatFigure(value: number | null | undefined): string {
  return typeof value === 'number' ? formatMoney(value, '.') : texts.none
}
