import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { cutText } from '@karvon/contract/lib/cut-text.ts'
import { writeXlsxStream } from 'hucre'
import { ExactNumber, escapeFormulas, type Cell, type RowBatches } from './exports.cells.ts'

/** The longest text of a cell. Excel reports a file with longer texts as damaged. */
const maxText = 32_767
const maxSheetName = 31
/** Characters. Wide enough for headers, dates and amounts. */
const columnWidth = 18

/**
 * Streams rows as a workbook. The header row is frozen and repeated on each sheet. A new sheet begins after `maxRows`
 * rows, by default 1,048,576. Only one batch is in memory.
 */
export function createXlsxStream(
  headers: readonly string[],
  { rows, sheetName, maxRows }: { rows: RowBatches; sheetName: string; maxRows?: number | undefined },
): Readable {
  const stream = writeXlsxStream(readCellRows(rows), {
    name: sheetName.slice(0, maxSheetName),
    columns: headers.map((header) => ({ header, width: columnWidth })),
    freezePane: { rows: 1 },
    ...(maxRows !== undefined && { maxRowsPerSheet: maxRows }),
  })
  // The web stream type of Node and of the DOM is the same class; only the type declarations differ.
  return Readable.fromWeb(stream as ReadableStream)
}

async function* readCellRows(rows: RowBatches): AsyncGenerator<Exclude<Cell, ExactNumber>[]> {
  for await (const batch of rows) for (const cells of batch) yield cells.map(toXlsxCell)
}

function toXlsxCell(cell: Cell): Exclude<Cell, ExactNumber> {
  if (cell instanceof ExactNumber) return Number(cell.digits)
  if (typeof cell !== 'string') return cell
  return escapeForXml(cutText(escapeFormulas(cell), maxText))
}

/** XML cannot have these two characters: a spreadsheet reports the file as damaged. */
const notInXml = /[\uFFFE\uFFFF]/g
/** A workbook writes a character as `_x000D_`. The underscore of a text that looks like this is written so too. */
const escapeStart = /_(?=x[\dA-F]{4}_)/gi

const escapeForXml = (text: string) => text.replaceAll(notInXml, '\uFFFD').replaceAll(escapeStart, '_x005F_')
