import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { writeXlsxStream } from 'hucre'
import { harmless, type Cell, type Pieces } from './exports.cells.ts'

/** Text that a cell of Excel holds at the most; a longer one makes it call the file damaged. */
const maxText = 32_767
const maxSheetName = 31
/** Characters; the headings are readable, and dates and amounts show. */
const width = 18

/**
 * A table as a workbook: the heading stays in sight and is repeated on each further sheet, of which there
 * is one every 1,048,576 rows (`maxRows` says otherwise). Nothing but the piece at hand is in memory.
 */
export function xlsxStream(
  heading: readonly string[],
  rows: Pieces,
  name: string,
  maxRows?: number,
): Readable {
  const stream = writeXlsxStream(singly(rows), {
    name: name.slice(0, maxSheetName),
    columns: heading.map((header) => ({ header, width })),
    freezePane: { rows: 1 },
    ...(maxRows !== undefined && { maxRowsPerSheet: maxRows }),
  })
  // Node's class and the web's are one; only their types differ.
  return Readable.fromWeb(stream as ReadableStream)
}

async function* singly(rows: Pieces): AsyncGenerator<Cell[]> {
  for await (const piece of rows) for (const cells of piece) yield cells.map(cellOf)
}

function cellOf(cell: Cell): Cell {
  if (typeof cell !== 'string') return cell
  const text = harmless(cell)
  return text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text
}
