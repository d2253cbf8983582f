// Reads one workbook in a thread of its own, so that a hostile file costs this thread alone. Sends rows in
// pieces and waits to be asked for the next, so that a slow reader is not flooded.
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { maxSheetColumns } from '@karvon/contract/lib/limits.ts'
import { readXls, streamXlsxRows } from 'hucre'
import { cellText, type RawCell } from './spreadsheets.text.ts'
import type { SheetRow, WorkbookAsked, WorkbookPiece } from './spreadsheets.piece.ts'

const { path, extension } = workerData as WorkbookAsked
const pieceRows = 500
/** Characters after which a piece is sent: cells that share one text are a copy each once they are sent. */
const pieceCharacters = 4_194_304
let characters = 0
let waiting: SheetRow[] = []

async function* sheetRows(): AsyncGenerator<{ index: number; values: readonly RawCell[] }> {
  const bytes = await readFile(path)
  if (extension === 'xlsx') return yield* streamXlsxRows(bytes)
  const workbook = await readXls(bytes)
  const rows: readonly (readonly RawCell[] | undefined)[] = workbook.sheets[0]?.rows ?? []
  for (const [index, values] of rows.entries()) if (values !== undefined) yield { index, values }
}

async function send(last: boolean): Promise<void> {
  const asked = new Promise((resolve) => {
    parentPort?.once('message', resolve)
  })
  parentPort?.postMessage({ rows: waiting, last } satisfies WorkbookPiece)
  waiting = []
  characters = 0
  if (!last) await asked
}

try {
  for await (const { index, values } of sheetRows()) {
    const cells = values.slice(0, maxSheetColumns).map(cellText)
    if (cells.every((cell) => cell === '')) continue
    waiting.push([index, cells])
    for (const cell of cells) characters += cell.length
    if (waiting.length >= pieceRows || characters >= pieceCharacters) await send(false)
  }
  await send(true)
} catch {
  parentPort?.postMessage({ rows: [], last: true, failed: true } satisfies WorkbookPiece)
}
parentPort?.close()
