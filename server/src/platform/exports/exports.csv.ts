import { Readable } from 'node:stream'
import { harmless, type Cell, type Pieces } from './exports.cells.ts'

const BOM = '\uFEFF'

/**
 * A table as csv, RFC 4180 with CRLF, in UTF-8 behind a mark by which Excel knows it. The next of `rows` is
 * asked for once the reader has taken the last.
 */
export function csvStream(heading: readonly string[], rows: Pieces): Readable {
  return Readable.from(csvPieces(heading, rows), { objectMode: false })
}

async function* csvPieces(heading: readonly string[], rows: Pieces): AsyncGenerator<Buffer> {
  yield Buffer.from(BOM + line(heading))
  for await (const piece of rows) {
    let text = ''
    for (const cells of piece) text += line(cells)
    if (text !== '') yield Buffer.from(text)
  }
}

const line = (cells: readonly Cell[]): string => `${cells.map(field).join(',')}\r\n`

function field(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = harmless(cell)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
