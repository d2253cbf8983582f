import { maxPreviewRows } from '@karvon/contract/lib/limits.ts'
import { AppError } from '../../platform/http/errors.ts'
import { matchHeadings, type Columns } from '../../platform/spreadsheets/spreadsheets.headings.ts'
import { RowProblems, RowReader } from '../../platform/spreadsheets/spreadsheets.import.ts'
import type { SheetRow } from '../../platform/spreadsheets/spreadsheets.piece.ts'
import { workbookRows } from '../../platform/spreadsheets/spreadsheets.workbook.ts'
import { orderHeadings, type OrderColumn } from './parcels.headings.ts'
import { readOrder, type OrderTold } from './parcels.row.ts'

/** An order file's workbook. The file must have passed the check of its content. */
export interface OrderFile {
  path: string
  extension: 'xlsx' | 'xls'
}

/** What an order file holds. `rows`: below the heading; `first`: the first few of them, good or bad. */
export interface OrderSheet {
  headings: readonly string[]
  columns: Columns<OrderColumn>
  rows: number
  first: RowReader<OrderColumn>[]
  orders: Map<string, OrderTold>
  problems: RowProblems
}

/** Titles and addressees may stand above the heading row. */
const headingWithin = 20
/** Orders of one file; more would keep the person waiting longer than a browser does. */
export const maxOrders = 10_000
/** Bytes of a sheet's XML, several times those of so many orders. */
const maxSheet = 48 * 1024 * 1024

/**
 * Reads the orders of a workbook within `seconds`; null where it has no order columns. What cannot be understood is
 * among the problems, with no orders.
 */
export async function readOrderSheet(file: OrderFile, seconds: number): Promise<OrderSheet | null> {
  let sheet: (OrderSheet & { at: number }) | undefined
  try {
    for await (const piece of workbookRows(file, { seconds, sheet: maxSheet })) {
      for (const [index, cells] of piece) {
        if (sheet !== undefined) take(sheet, new RowReader(index - sheet.at, sheet.columns, cells))
        else if (index >= headingWithin) return null
        else sheet = headedBy([index, cells])
      }
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    sheet = { ...(sheet ?? emptySheet()), orders: new Map() }
    sheet.problems.add([{ row: 0, field: 'file', message: error.message }])
  }
  return sheet ?? null
}

const emptySheet = () => ({
  at: 0,
  headings: [] as readonly string[],
  columns: new Map<OrderColumn, number>(),
  rows: 0,
  first: [],
  orders: new Map<string, OrderTold>(),
  problems: new RowProblems(),
})

/** An order number and something else: a lone "Number" heads many a table. */
function headedBy([at, headings]: SheetRow): (OrderSheet & { at: number }) | undefined {
  const columns = matchHeadings(headings, orderHeadings)
  return columns.has('orderno') && columns.size > 1 ? { ...emptySheet(), at, headings, columns } : undefined
}

function take(sheet: OrderSheet, row: RowReader<OrderColumn>): void {
  const { orders, problems, first } = sheet
  sheet.rows += 1
  if (first.length < maxPreviewRows) first.push(row)
  const order = readOrder(row)
  if (order !== null && orders.has(order.orderno)) row.fail('orderno', 'stands in the file twice')
  if (order !== null && orders.size >= maxOrders)
    row.fail('orderno', `comes after ${maxOrders} others: split the file`)
  if (order === null || row.problems.length > 0) problems.add(row.problems)
  else orders.set(order.orderno, order)
}
