import { parseDecimal, type CellResult } from '../../platform/spreadsheets/spreadsheets.values.ts'

/** Parses an amount with at most 2 decimals, which may be negative, to a decimal string. */
export function parseAmount(text: string): CellResult<string> {
  const trimmedText = text.trim()
  const isNegative = /^[-−]/.test(trimmedText)
  const result = parseDecimal(isNegative ? trimmedText.slice(1).trimStart() : trimmedText, 2)
  return result.fault === undefined && isNegative ? { value: `-${result.value}` } : result
}
