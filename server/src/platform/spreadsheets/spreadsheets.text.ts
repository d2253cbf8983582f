import { trimText } from '@karvon/contract/lib/trim-text.ts'

/** The longest text of a cell in Excel. */
const maxText = 32_767

/** The error text of a spreadsheet for a number or a time that it cannot represent. */
const outOfRange = '#NUM!'

/** Whether a text is an error of a formula, such as `#N/A` or `#DIV/0!`, in English or Russian. */
export const isFormulaError = (text: string): boolean =>
  text.length <= 20 && /^#(?:N\/A|Н\/Д|\p{Lu}[\p{Lu}/0_]*[!?])$/u.test(text)

/** The text of a cell whose formula has no stored value. Excel has this error for other failures of a calculation. */
export const missingFormulaValue = '#CALC!'

/**
 * Whether a text is what a spreadsheet shows of a number of twelve or more digits, and stores in a csv: `9.98901E+11`. Different
 * order numbers or phone numbers get the same text.
 */
export const isShortenedNumber = (text: string): boolean => /^-?\d(?:[.,]\d{1,14})?E\+\d{2,3}$/.test(text)

const totalWord = /^(?:итого|всего|total|jami|жами)(?![\p{L}\p{N}-])/iu

/** Whether a text is the word of a row of totals, such as `Итого:`, in Russian, English or Uzbek. */
export const isTotalWord = (text: string): boolean => totalWord.test(text)

/** A value of a cell as the library returns it. */
export type RawCell = string | number | boolean | Date | null | undefined | object

/**
 * Converts a cell to text, so that csv files and workbooks give equal values: numbers as plain decimals, rounded to 15
 * digits (the precision of spreadsheets) unless they are whole, times as `yyyy-mm-dd hh:mm:ss` without an offset, blank cells as ''. A number
 * or a time that is out of range, such as 1e400, is an error of a formula and never blank.
 */
export function formatCell(cell: RawCell): string {
  if (typeof cell === 'string') return trimText(cell.slice(0, maxText))
  if (typeof cell === 'number') return formatNumber(cell)
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if (cell instanceof Date) return formatTime(cell)
  return ''
}

/**
 * A whole number that a double holds has all its digits: it may be an order number. A larger one has lost its last digits, and has the
 * text of {@link isShortenedNumber}.
 */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return outOfRange
  if (Number.isSafeInteger(value)) return String(value)
  const roundedValue = Number(value.toPrecision(15))
  if (Number.isInteger(value)) return roundedValue.toExponential().toUpperCase()
  const text = String(roundedValue)
  if (!text.includes('e')) return text
  return roundedValue.toFixed(20).replace(/0+$/, '')
}

/** The library puts the sheet's local time into the UTC fields. It is rounded, because sheets store fractions of a day. */
function formatTime(time: Date): string {
  if (Number.isNaN(time.getTime())) return outOfRange
  const iso = new Date(Math.round(time.getTime() / 1000) * 1000).toISOString()
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
}
