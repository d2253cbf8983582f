/** A value of a file's row; null is an empty cell. */
export type Cell = string | number | boolean | null

/** A table's rows, some at a time; each row is made when it is taken, so that few are there at once. */
export type Pieces = AsyncIterable<Iterable<Cell[]>>

const mark = "'"
// A spreadsheet runs a cell that starts so, after quotes too. Excel in Russian and Uzbek splits a csv at semicolons, so that
// cells start behind each one, and behind a line's end. The marks before are counted in: taking one away again is exact.
const start = String.raw`(?<=^|[;\t\r\n])`
const formula = String.raw`["']*[=+\-@\t\r＝＋－＠]`
const risky = new RegExp(`${start}(?=${formula})`, 'g')
const marked = new RegExp(`${start}${mark}(?=${formula})`, 'g')

/** Text in which no spreadsheet finds a formula: an apostrophe goes before what could be one. */
export const harmless = (text: string): string => text.replace(risky, mark)

/** The text as it was before {@link harmless}. */
export const original = (text: string): string => text.replace(marked, '')
