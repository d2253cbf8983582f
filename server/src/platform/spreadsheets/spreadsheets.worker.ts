// Reads one workbook in a worker thread, so that a malicious file harms only this thread. Sends rows in batches, and
// waits for a message before the next one. The first batch is empty: the time to read begins after it.
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { maxSheetColumns } from '@karvon/contract/lib/limits.ts'
import { readXls, streamXlsxRows } from 'hucre'
import { findVisibleSheet } from './spreadsheets.visible-sheet.ts'
import { formatCell, type RawCell } from './spreadsheets.text.ts'
import type { SheetRow, WorkbookRequest, WorkbookBatch } from './spreadsheets.batch.ts'

const { path, extension } = workerData as WorkbookRequest
const batchRows = 500
/** Characters of one batch. Each message copies texts that cells share. */
const batchCharacters = 4_194_304
let characters = 0
let pendingRows: SheetRow[] = []

async function* sheetRows(): AsyncGenerator<{ index: number; values: readonly RawCell[] }> {
  const bytes = await readFile(path)
  const { index: sheet } = await findVisibleSheet({ path, extension })
  if (extension === 'xlsx') return yield* streamXlsxRows(bytes, { sheet })
  const workbook = await readXls(bytes)
  const rows: readonly (readonly RawCell[] | undefined)[] = workbook.sheets[sheet]?.rows ?? []
  for (const [index, values] of rows.entries()) if (values !== undefined) yield { index, values }
}

async function sendBatch(isLast: boolean): Promise<void> {
  const nextRequest = new Promise((resolve) => {
    parentPort?.once('message', resolve)
  })
  parentPort?.postMessage({ rows: pendingRows, isLast: isLast } satisfies WorkbookBatch)
  pendingRows = []
  characters = 0
  if (!isLast) await nextRequest
}

await sendBatch(false)
try {
  for await (const { index, values } of sheetRows()) {
    const cells = values.slice(0, maxSheetColumns).map(formatCell)
    if (cells.every((cell) => cell === '')) continue
    pendingRows.push([index, cells])
    for (const cell of cells) characters += cell.length
    if (pendingRows.length >= batchRows || characters >= batchCharacters) await sendBatch(false)
  }
  await sendBatch(true)
} catch {
  parentPort?.postMessage({ rows: [], isLast: true, isFailed: true } satisfies WorkbookBatch)
}
parentPort?.close()
