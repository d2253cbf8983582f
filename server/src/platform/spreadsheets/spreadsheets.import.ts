import type { ImportAnswer, RowProblem } from '@karvon/contract/lib/import.ts'
import {
  fieldError,
  labelledError,
  valueFault,
  type ValueFault,
} from '@karvon/contract/lib/field-messages.ts'
import { maxRowProblems } from '@karvon/contract/lib/limits.ts'
import { invalid } from '../http/errors.ts'
import { isBlank } from '../http/wellformed.ts'
import { unescapeFormulas } from '../exports/exports.cells.ts'
import { matchHeaders, type ColumnIndexes, type HeaderNames } from './spreadsheets.headers.ts'
import { ImportProgress, type IngestResult } from './spreadsheets.progress.ts'
import { readSheetRows, type SheetFile } from './spreadsheets.read.ts'
import { missingFormulaValue, isFormulaError, isShortenedNumber } from './spreadsheets.text.ts'
import type { CellResult } from './spreadsheets.values.ts'

/** The skipped rows of a file: all are counted, the first {@link maxRowProblems} problems are listed. */
export class RowProblems {
  skipped = 0
  readonly errors: RowProblem[] = []

  /** Adds one row with all its problems. */
  add(problems: readonly RowProblem[]): void {
    this.skipped++
    this.errors.push(...problems.slice(0, maxRowProblems - this.errors.length))
  }
}

/** Reads one row of a file by columns. `row` counts from 1 after the header row. */
export class RowReader<K extends string> {
  readonly row: number
  readonly problems: RowProblem[] = []
  readonly #columns: ReadonlyMap<string, number>
  readonly #cells: readonly string[]

  constructor(row: number, columns: ColumnIndexes<K>, cells: readonly string[]) {
    this.row = row
    this.#columns = columns
    this.#cells = cells
  }

  /**
   * The text of a cell, without the escape character of an export; '' when the cell is blank or the file has no such
   * column.
   */
  readText(key: K): string {
    const at = this.#columns.get(key)
    const text = at === undefined ? '' : unescapeFormulas(this.#cells[at] ?? '')
    return isBlank(text) ? '' : text
  }

  /** The value of a cell; null when it is empty or wrong. A wrong one adds a problem. */
  readOptional<T>(key: K, read: (text: string) => CellResult<T>): T | null {
    const text = this.readText(key)
    if (text === '') return null
    const { value, fault } = readCell(text, read)
    if (fault === undefined) return value
    this.addFault(key, fault)
    return null
  }

  /** Like {@link readOptional}, but an empty cell is a problem too. */
  readRequired<T>(key: K, read: (text: string) => CellResult<T>): T | null {
    if (this.readText(key) === '') this.addFault(key, valueFault('required'))
    return this.readOptional(key, read)
  }

  addFault(key: K, fault: ValueFault): void {
    this.problems.push({ row: this.row, ...labelledError(key, key, fault) })
  }
}

function readCell<T>(text: string, read: (text: string) => CellResult<T>): CellResult<T> {
  if (text === missingFormulaValue) return { fault: valueFault('formula_not_calculated') }
  if (isFormulaError(text)) return { fault: valueFault('formula_error', { error: text }) }
  if (isShortenedNumber(text)) return { fault: valueFault('number_shortened', { number: text }) }
  return read(text)
}

export interface SheetImport<K extends string, Item> {
  file: SheetFile
  headerNames: HeaderNames<K>
  requiredColumns: readonly K[]
  /** Converts a row to an item; null when it has a problem. */
  readRow: (row: RowReader<K>) => Item | null
  /** A batch has up to twice as many items, if these are of one row of the database. */
  batchSize: number
  /** Whether two items in succession are of one row of the database. A batch ends between two that are not. */
  isSameRow?: (item: Item, next: Item) => boolean
  storeBatch: (items: Item[]) => Promise<IngestResult>
}

/**
 * Imports a sheet whose first row is the header row, in batches, so that memory does not grow with the file. A row
 * with a problem is skipped. Returns the counts of rows. Errors: 422 `invalid` for an empty file or a missing column,
 * and those of {@link readSheetRows}. The main file of platform/spreadsheets.
 */
export async function importSheet<K extends string, Item>(
  sheetImport: SheetImport<K, Item>,
): Promise<ImportAnswer> {
  const progress = sheetImport.file.progress ?? new ImportProgress(0)
  const problems = new RowProblems()
  let header: { index: number; columns: ColumnIndexes<K> } | undefined
  let items: Item[] = []
  for await (const batch of readSheetRows(sheetImport.file)) {
    for (const [index, cells] of batch) {
      if (header === undefined) {
        header = { index, columns: readHeaderRow(cells, sheetImport) }
        continue
      }
      const reader = new RowReader(index - header.index, header.columns, cells)
      const item = sheetImport.readRow(reader)
      if (item === null || reader.problems.length > 0) {
        problems.add(reader.problems)
        continue
      }
      if (isBatchComplete(items, item, sheetImport)) {
        progress.addCounts(await sheetImport.storeBatch(items))
        items = []
      }
      items.push(item)
    }
    progress.skipped = problems.skipped
  }
  if (header === undefined) throw invalid([fieldError('file', 'file_empty')])
  if (items.length > 0) progress.addCounts(await sheetImport.storeBatch(items))
  progress.addBytes(Infinity)
  const { imported, updated, unchanged } = progress
  return { imported, updated, unchanged, skipped: problems.skipped, errors: problems.errors }
}

/** Whether a batch ends before `next`. */
function isBatchComplete<Item>(
  items: readonly Item[],
  next: Item,
  { batchSize, isSameRow }: Pick<SheetImport<string, Item>, 'batchSize' | 'isSameRow'>,
): boolean {
  const last = items.at(-1)
  if (last === undefined || items.length < batchSize) return false
  return items.length >= 2 * batchSize || isSameRow?.(last, next) !== true
}

function readHeaderRow<K extends string>(
  cells: readonly string[],
  sheetImport: Pick<SheetImport<K, unknown>, 'headerNames' | 'requiredColumns'>,
) {
  const columns = matchHeaders(cells, sheetImport.headerNames)
  const missingColumns = sheetImport.requiredColumns.filter((key) => !columns.has(key))
  if (missingColumns.length === 0) return columns
  const columnNames = missingColumns.map((key) => `"${key}"`).join(', ')
  throw invalid([fieldError('file', 'columns_missing', { columns: columnNames })])
}
