import type { RowProblem } from '@karvon/contract/kit/import.ts'
import type { Db } from '../db/pool.ts'
import { AppError } from '../kit/errors.ts'
import { matchHeadings, type Columns } from '../kit/tables/tables.headings.ts'
import { RowProblems, RowReader } from '../kit/tables/tables.import.ts'
import type { SheetRow } from '../kit/tables/tables.piece.ts'
import { workbookRows } from '../kit/tables/tables.workbook.ts'
import { newOrder } from './parcels.codes.ts'
import { orderHeadings, type OrderColumn } from './parcels.headings.ts'
import { readOrder, type OrderTold } from './parcels.row.ts'
import { parcelBatch, takeInParcels } from './parcels.sink.ts'

/** What became of an order file's rows; `skipped` counts rows with errors and orders that are known already. */
export interface OrdersTaken {
  imported: number
  skipped: number
  errors: RowProblem[]
}

/** Titles and addressees may stand above the heading row. */
const headingWithin = 20
/** Orders of one file; more would keep the person waiting longer than a browser does. */
const maxOrders = 10_000
/** Seconds to read a workbook; ten thousand orders take half of one. */
const patience = 2.5

/**
 * Takes the orders of an uploaded workbook in as new parcels of `ownerId`; what is known already is left as
 * it is. Null where the workbook has no order columns. The file must have passed the check of its content.
 * Past `deadline` (on the clock of performance.now) no further batch is begun, and the answer says so.
 */
export async function takeOrders(
  db: Db,
  file: { path: string; extension: 'xlsx' | 'xls' },
  ownerId: number,
  deadline: number,
  seconds = patience,
): Promise<OrdersTaken | null> {
  const sheet = await readSheet(file, seconds)
  if (sheet === null) return null
  const { orders, problems } = sheet
  const eventtime = new Date().toISOString()
  let imported = 0
  for (let at = 0; at < orders.length; at += parcelBatch) {
    if (performance.now() > deadline) {
      const message = `There was no time left for ${orders.length - at} orders: send the file once more.`
      problems.errors.unshift({ row: 0, field: 'file', message })
      break
    }
    const batch = orders.slice(at, at + parcelBatch)
    const told = batch.map((order) => ({ ...order, owner_id: ownerId, state: newOrder, eventtime }))
    imported += (await takeInParcels(db, told, { known: 'leave' })).imported
  }
  const skipped = problems.skipped + orders.length - imported
  return { imported, skipped, errors: problems.errors }
}

async function readSheet(file: { path: string; extension: 'xlsx' | 'xls' }, seconds: number) {
  const orders = new Map<string, OrderTold>()
  const problems = new RowProblems()
  let heading: { index: number; columns: Columns<OrderColumn> } | undefined
  try {
    for await (const piece of workbookRows(file, seconds)) {
      for (const [index, cells] of piece) {
        if (heading !== undefined)
          take(orders, problems, new RowReader(index - heading.index, heading.columns, cells))
        else if (index >= headingWithin) return null
        else heading = headingOf([index, cells])
      }
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    problems.add([{ row: 0, field: 'file', message: error.message }])
    return { orders: [], problems }
  }
  return heading === undefined ? null : { orders: [...orders.values()], problems }
}

/** An order number and something else: a lone "Number" heads many a table. */
function headingOf([index, cells]: SheetRow): { index: number; columns: Columns<OrderColumn> } | undefined {
  const columns = matchHeadings(cells, orderHeadings)
  return columns.has('orderno') && columns.size > 1 ? { index, columns } : undefined
}

function take(orders: Map<string, OrderTold>, problems: RowProblems, row: RowReader<OrderColumn>): void {
  const order = readOrder(row)
  if (order !== null && orders.has(order.orderno)) row.fail('orderno', 'stands in the file twice')
  if (order !== null && orders.size >= maxOrders)
    row.fail('orderno', `comes after ${maxOrders} others: split the file`)
  if (order === null || row.problems.length > 0) problems.add(row.problems)
  else orders.set(order.orderno, order)
}
