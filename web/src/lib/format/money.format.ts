import { missingValue } from './missing.ts'
import { formatNumber, unitSeparator } from './number.format.ts'

/** An amount: whole amounts without decimals, others with two (`149 000,50`). It has a minus sign, not a hyphen. */
export function formatMoney(amount: number, decimalMark: ',' | '.' = ','): string {
  return formatNumber(amount, Number.isInteger(amount) ? undefined : 2, decimalMark).replace('-', '−')
}

/** An amount with its currency: `149 000.50 UZS`. */
export const formatAmount = (amount: number, currency: string): string =>
  `${formatMoney(amount, '.')}${unitSeparator}${currency}`

/** An amount or a count: `1 284`, `99.5`. A dash when it is missing. */
export const formatFigure = (value: number | null | undefined): string =>
  typeof value === 'number' ? formatMoney(value, '.') : missingValue
