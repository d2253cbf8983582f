/** A value of a cell; null is an empty cell. */
export type Cell = string | number | boolean | null | ExactNumber

/**
 * A decimal number with its digits: one that a JavaScript number cannot hold to the cent, or one that keeps its trailing
 * zeros. A csv has its digits, a workbook and JSON the nearest number.
 */
export class ExactNumber {
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }

  toString(): string {
    return this.digits
  }

  toJSON(): number {
    return Number(this.digits)
  }
}

/** From this number on, two neighbouring JavaScript numbers are more than a cent apart. */
const minInexact = 2 ** 46
const maybeInexact = /\d{14}\./

const reviveExactNumber = (_key: string, value: unknown, context?: { source?: string }): unknown => {
  const source = context?.source ?? ''
  const isInexact = typeof value === 'number' && Math.abs(value) >= minInexact && source.includes('.')
  return isInexact ? new ExactNumber(source) : value
}

/** Parses a row of JSON. Numbers that would lose cents are {@link ExactNumber}s. */
export const parseExactRow = (text: string): Record<string, unknown> =>
  JSON.parse(text, maybeInexact.test(text) ? reviveExactNumber : undefined) as Record<string, unknown>

/** Rows in batches. Each row is created when it is read, so that few rows are in memory. */
export type RowBatches = AsyncIterable<Iterable<Cell[]>>

const escapeCharacter = "'"
// A spreadsheet runs a cell that starts with one of these characters, also after quotes. Russian and Uzbek Excel
// split a csv at semicolons, so a cell may also start after a semicolon or a line end. Apostrophes before the character
// belong to the pattern, so that the removal of one apostrophe restores the exact text.
const cellStart = String.raw`(?<=^|[;\t\r\n])`
const formula = String.raw`["']*[=+\-@\t\r＝＋－＠]`
const formulaStart = new RegExp(`${cellStart}(?=${formula})`, 'g')
const escapedFormulaStart = new RegExp(`${cellStart}${escapeCharacter}(?=${formula})`, 'g')

/** Puts an apostrophe before everything that a spreadsheet could run as a formula. */
export const escapeFormulas = (text: string): string => text.replace(formulaStart, escapeCharacter)

/** Reverts {@link escapeFormulas}. */
export const unescapeFormulas = (text: string): string => text.replace(escapedFormulaStart, '')
