import { Readable } from 'node:stream'
import { harmless, type Cell } from './exports.cells.ts'

const BOM = '\uFEFF'

/**
 * A table as csv, RFC 4180 with CRLF, in UTF-8 behind a mark by which Excel knows it. `rows` come in pieces;
 * the next is asked for once the reader has taken the last.
 */
export function csvStream(heading: readonly string[], rows: AsyncIterable<Cell[][]>): Readable {
  return Readable.from(csvPieces(heading, rows), { objectMode: false })
}

async function* csvPieces(heading: readonly string[], rows: AsyncIterable<Cell[][]>): AsyncGenerator<Buffer> {
  yield Buffer.from(BOM + line(heading))
  for await (const piece of rows) if (piece.length > 0) yield Buffer.from(piece.map(line).join(''))
}

const line = (cells: readonly Cell[]): string => `${cells.map(field).join(',')}\r\n`

function field(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = harmless(cell)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
