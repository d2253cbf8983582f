/** A value of a file's row; null is an empty cell. */
export type Cell = string | number | boolean | null

/** A table's rows, some at a time; each row is made when it is taken, so that few are there at once. */
export type Pieces = AsyncIterable<Iterable<Cell[]>>

const mark = "'"
// A spreadsheet runs what starts so. The marks before it are counted in, so that taking one away again is exact.
const risky = /^'*[=+\-@\t\r]/
const marked = /^'+[=+\-@\t\r]/

/** Text that no spreadsheet takes for a formula: an apostrophe goes before what could be one. */
export const harmless = (text: string): string => (risky.test(text) ? mark + text : text)

/** The text as it was before {@link harmless}. */
export const original = (text: string): string => (marked.test(text) ? text.slice(1) : text)
