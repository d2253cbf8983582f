// Reads one workbook in a worker thread, so that a malicious file harms only this thread. Sends rows in batches, and
// waits for a message before the next one. The first batch is empty: the time to read begins after it.
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { maxSheetColumns } from '@karvon/contract/lib/limits.ts'
import { readXls, streamXlsxRows } from 'hucre'
import { listVisibleSheets, openXlsEndCheck } from './spreadsheets.visible-sheet.ts'
import { findUncalculatedCells } from './spreadsheets.formulas.ts'
import { formatCell, missingFormulaValue, type RawCell } from './spreadsheets.text.ts'
import type { SheetRow, WorkbookRequest, WorkbookBatch } from './spreadsheets.batch.ts'

const { path, extension } = workerData as WorkbookRequest
const batchRows = 500
/** Characters of one batch. Each message copies texts that cells share. */
const batchCharacters = 4_194_304
/** A workbook with more blank sheets before its rows counts as empty: each one reads the shared texts again. */
const maxSheets = 10
let characters = 0
let pendingRows: SheetRow[] = []

type Rows = AsyncIterable<Row> | Iterable<Row>
type Row = { index: number; values: readonly RawCell[] }

/** The rows of the first visible sheet that is not blank. */
async function* visibleRows(): AsyncGenerator<SheetRow> {
  const sheets = await listVisibleSheets({ path, extension })
  const openSheet = await openWorkbook()
  for (const { index: sheet, worksheet } of sheets.slice(0, maxSheets)) {
    let isBlank = true
    // An old workbook stores a value for each formula.
    const formulas = extension === 'xlsx' ? await findUncalculatedCells(path, worksheet) : null
    for await (const { index, values } of openSheet(sheet)) {
      const cells = values
        .slice(0, maxSheetColumns)
        .map((cell, column) => (formulas?.has(index, column) ? missingFormulaValue : formatCell(cell)))
      if (cells.every((cell) => cell === '')) continue
      isBlank = false
      yield [index, cells]
    }
    if (!isBlank) return
  }
}

async function openWorkbook(): Promise<(sheet: number) => Rows> {
  const bytes = await readFile(path)
  if (extension === 'xlsx') return (sheet) => streamXlsxRows(bytes, { sheet })
  const workbook = await readXls(bytes)
  const requireEnd = await openXlsEndCheck(path, bytes.length)
  return (sheet) => {
    requireEnd(sheet)
    return listRows(workbook.sheets[sheet]?.rows ?? [])
  }
}

function* listRows(rows: readonly (readonly RawCell[] | undefined)[]): Generator<Row> {
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
  for await (const row of visibleRows()) {
    pendingRows.push(row)
    for (const cell of row[1]) characters += cell.length
    if (pendingRows.length >= batchRows || characters >= batchCharacters) await sendBatch(false)
  }
  await sendBatch(true)
} catch {
  parentPort?.postMessage({ rows: [], isLast: true, isFailed: true } satisfies WorkbookBatch)
}
parentPort?.close()
