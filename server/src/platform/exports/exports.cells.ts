/** A value of a file's row; null is an empty cell. */
export type Cell = string | number | boolean | null

/** Rows in batches. Each row is created when it is read, so that few rows are in memory. */
export type RowBatches = AsyncIterable<Iterable<Cell[]>>

const mark = "'"
// A spreadsheet runs a cell that starts with one of these characters, also after quotes. Russian and Uzbek Excel
// split a csv at semicolons, so a cell may also start after a semicolon or a line end. Marks before the character
// belong to the pattern, so that removing one mark restores the exact text.
const cellStart = String.raw`(?<=^|[;\t\r\n])`
const formula = String.raw`["']*[=+\-@\t\r＝＋－＠]`
const formulaStart = new RegExp(`${cellStart}(?=${formula})`, 'g')
const escapedFormulaStart = new RegExp(`${cellStart}${mark}(?=${formula})`, 'g')

/** Puts an apostrophe before everything that a spreadsheet could run as a formula. */
export const escapeFormulas = (text: string): string => text.replace(formulaStart, mark)

/** Reverts {@link escapeFormulas}. */
export const unescapeFormulas = (text: string): string => text.replace(escapedFormulaStart, '')
