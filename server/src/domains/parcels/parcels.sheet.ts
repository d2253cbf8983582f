import { valueFault } from '@karvon/contract/lib/field-messages.ts'
import { maxPreviewRows } from '@karvon/contract/lib/limits.ts'
import { AppError } from '../../platform/http/errors.ts'
import { matchHeaders, type ColumnIndexes } from '../../platform/spreadsheets/spreadsheets.headers.ts'
import { RowProblems, RowReader } from '../../platform/spreadsheets/spreadsheets.import.ts'
import type { SheetRow } from '../../platform/spreadsheets/spreadsheets.batch.ts'
import { readWorkbookRows } from '../../platform/spreadsheets/spreadsheets.workbook.ts'
import { orderHeadings, type OrderColumn } from './parcels.headings.ts'
import { readOrder, type OrderInput } from './parcels.row.ts'

/** The workbook of an order file. Its content must have been checked before. */
export interface OrderFile {
  path: string
  extension: 'xlsx' | 'xls'
}

/** A parsed order file. `rows` counts the rows below the header row; `first` has the first few of them. */
export interface OrderSheet {
  headings: readonly string[]
  columns: ColumnIndexes<OrderColumn>
  rows: number
  first: RowReader<OrderColumn>[]
  orders: Map<string, OrderInput>
  problems: RowProblems
}

/** Maximum number of rows above the header row, for titles and addresses. */
const maxRowsAboveHeader = 20
/** Maximum number of orders in one file. With more orders, the browser would give up before the answer. */
export const maxOrders = 10_000
/** Maximum size of a sheet's XML in bytes, several times the size of {@link maxOrders} orders. */
const maxSheetBytes = 48 * 1024 * 1024

/**
 * Reads the orders of a workbook within `seconds`; null for a workbook without order columns. A workbook that cannot be
 * read gives a problem and no orders. Errors: 503 while too many other workbooks are being read.
 */
export async function readOrderSheet(file: OrderFile, seconds: number): Promise<OrderSheet | null> {
  let sheet: HeadedSheet | undefined
  try {
    for await (const piece of readWorkbookRows(file, { maxSeconds: seconds, maxSheetBytes: maxSheetBytes })) {
      for (const [index, cells] of piece) {
        const secondHeader = sheet?.rows === 0 ? readSecondHeaderRow(sheet, [index, cells]) : undefined
        if (secondHeader !== undefined) sheet = secondHeader
        else if (sheet !== undefined) addRow(sheet, new RowReader(index - sheet.at, sheet.columns, cells))
        else if (index >= maxRowsAboveHeader) return null
        else sheet = readHeaderRow([index, cells])
      }
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    sheet = { ...(sheet ?? createEmptySheet()), orders: new Map() }
    sheet.problems.add([{ row: 0, field: 'file', ...error.describe() }])
  }
  return sheet ?? null
}

interface HeadedSheet extends OrderSheet {
  /** The index of the header row. */
  at: number
}

const createEmptySheet = () => ({
  at: 0,
  headings: [] as readonly string[],
  columns: new Map<OrderColumn, number>(),
  rows: 0,
  first: [],
  orders: new Map<string, OrderInput>(),
  problems: new RowProblems(),
})

/** A header row needs an order number and another column, because many other tables have a column "Number". */
function readHeaderRow([at, headings]: SheetRow): HeadedSheet | undefined {
  const columns = matchHeaders(headings, orderHeadings)
  return columns.has('orderno') && columns.size > 1
    ? { ...createEmptySheet(), at, headings, columns }
    : undefined
}

/**
 * Reads the second row of a header whose first one has groups, such as "Receiver" over "Name" and "Phone". A cell without text has the
 * heading above it. Undefined for the row of an order.
 */
function readSecondHeaderRow(
  { headings, columns }: HeadedSheet,
  [at, cells]: SheetRow,
): HeadedSheet | undefined {
  if (matchHeaders(cells, orderHeadings).size < 2) return undefined
  const length = Math.max(headings.length, cells.length)
  const bothHeadings = Array.from({ length }, (_, column) => cells[column] || headings[column] || '')
  const sheet = readHeaderRow([at, bothHeadings])
  return sheet !== undefined && sheet.columns.size > columns.size ? sheet : undefined
}

function addRow(sheet: OrderSheet, row: RowReader<OrderColumn>): void {
  const { orders, problems, first } = sheet
  sheet.rows += 1
  if (first.length < maxPreviewRows) first.push(row)
  const order = readOrder(row)
  if (order !== null && orders.has(order.orderno)) row.addFault('orderno', valueFault('duplicate_in_file'))
  if (order !== null && orders.size >= maxOrders)
    row.addFault('orderno', valueFault('too_many_orders', { max: maxOrders }))
  if (order === null || row.problems.length > 0) problems.add(row.problems)
  else orders.set(order.orderno, order)
}
