import { Readable } from 'node:stream'
import { ExactNumber, escapeFormulas, type Cell, type RowBatches } from './exports.cells.ts'

const byteOrderMark = '\uFEFF'

/**
 * Streams rows as csv: RFC 4180 with CRLF, UTF-8 with the BOM that Excel needs. A batch is read after the reader has
 * received the previous one.
 */
export const createCsvStream = (headers: readonly string[], rows: RowBatches): Readable =>
  Readable.from(encodeCsv(headers, rows), { objectMode: false })

async function* encodeCsv(headers: readonly string[], rows: RowBatches): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark + encodeLine(headers))
  for await (const batch of rows) {
    let text = ''
    for (const cells of batch) text += encodeLine(cells)
    if (text !== '') yield Buffer.from(text)
  }
}

const encodeLine = (cells: readonly Cell[]): string => `${cells.map(encodeField).join(',')}\r\n`

function encodeField(cell: Cell): string {
  if (cell === null) return ''
  if (cell instanceof ExactNumber) return cell.digits
  if (typeof cell !== 'string') return String(cell)
  const text = escapeFormulas(cell)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
