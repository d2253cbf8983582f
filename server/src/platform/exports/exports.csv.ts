import { Readable } from 'node:stream'
import { ExactNumber, escapeFormulas, type Cell, type RowBatches } from './exports.cells.ts'

const BOM = '\uFEFF'

/**
 * Streams rows as csv: RFC 4180 with CRLF, UTF-8 with the BOM that Excel needs. A batch is read after the reader has
 * received the previous one. `decimals`: the number of decimals of a column; other numbers have as many as they need.
 */
export function createCsvStream(
  headers: readonly string[],
  rows: RowBatches,
  decimals: Readonly<Record<string, number>> = {},
): Readable {
  const decimalsByColumn = headers.map((header) => decimals[header])
  return Readable.from(encodeCsv(headers, rows, decimalsByColumn), { objectMode: false })
}

type ColumnDecimals = readonly (number | undefined)[]

async function* encodeCsv(
  headers: readonly string[],
  rows: RowBatches,
  decimals: ColumnDecimals,
): AsyncGenerator<Buffer> {
  yield Buffer.from(BOM + encodeLine(headers, []))
  for await (const batch of rows) {
    let text = ''
    for (const cells of batch) text += encodeLine(cells, decimals)
    if (text !== '') yield Buffer.from(text)
  }
}

const encodeLine = (cells: readonly Cell[], decimals: ColumnDecimals): string =>
  `${cells.map((cell, at) => encodeField(cell, decimals[at])).join(',')}\r\n`

function encodeField(cell: Cell, decimals: number | undefined): string {
  if (cell === null) return ''
  if (cell instanceof ExactNumber) return cell.digits
  if (typeof cell === 'number' && decimals !== undefined) return cell.toFixed(decimals)
  if (typeof cell !== 'string') return String(cell)
  const text = escapeFormulas(cell)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
