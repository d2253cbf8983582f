import { parseDecimal, type CellResult } from '../../platform/spreadsheets/spreadsheets.values.ts'

/** Parses an amount with at most 2 decimals, which may be negative, to a decimal string. */
export function parseAmount(text: string): CellResult<string> {
  const [, sign = '', digits = ''] = /^\s*([-−]?)\s*(.*?)\s*$/s.exec(text) ?? []
  const result = parseDecimal(digits, 2)
  return result.fault === undefined && sign !== '' ? { value: `-${result.value}` } : result
}
