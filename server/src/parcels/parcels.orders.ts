import type { RowProblem } from '@karvon/contract/kit/import.ts'
import type { Db } from '../db/pool.ts'
import { databaseTime } from '../kit/clock.ts'
import { newOrder } from './parcels.codes.ts'
import { parcelBatch, takeInParcels } from './parcels.sink.ts'
import { readOrderSheet, type OrderFile } from './parcels.sheet.ts'

/** What became of an order file's rows; `skipped` counts rows with errors and orders that are known already. */
export interface OrdersTaken {
  imported: number
  skipped: number
  errors: RowProblem[]
}

/** Seconds to read a workbook; ten thousand orders take half of one. */
const patience = 2.5

/**
 * Takes the orders of an uploaded workbook in as new parcels of `ownerId`; what is known already is left as
 * it is. Null where the workbook has no order columns. The file must have passed the check of its content.
 * Past `deadline` (on the clock of performance.now) no further batch is begun, and the answer says so.
 */
export async function takeOrders(
  db: Db,
  file: OrderFile,
  ownerId: number,
  deadline: number,
  seconds = patience,
): Promise<OrdersTaken | null> {
  const sheet = await readOrderSheet(file, seconds)
  if (sheet === null) return null
  const { problems } = sheet
  const orders = [...sheet.orders.values()]
  const eventtime = await databaseTime(db)
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
