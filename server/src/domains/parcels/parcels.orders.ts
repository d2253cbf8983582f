import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import type { RowProblem } from '@karvon/contract/lib/import.ts'
import { readDatabaseTime } from '../../platform/database/clock.ts'
import type { Deps } from '../../platform/deps.ts'
import { readParcelRoom, createParcelQuotaError } from '../quotas/quotas.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { newOrderState } from './parcels.codes.ts'
import type { ParcelEventInput } from './parcels.types.ts'
import { parcelBatch, storeParcels } from './parcels.store.ts'
import { countNewOrders } from './parcels.store.queries.ts'
import { maxOrders, readOrderSheet, type OrderFile } from './parcels.sheet.ts'

/** The counts of an order file. `skipped` counts the rows with errors and the known orders. */
export interface OrderImportResult {
  imported: number
  skipped: number
  errors: RowProblem[]
}

type OrderDeps = Pick<Deps, 'db' | 'config'>

/** Maximum time in seconds to read a workbook. Ten thousand orders take half a second. */
const maxReadSeconds = 2.5

/**
 * Imports the orders of an uploaded workbook as new parcels of `ownerId`. Known orders stay unchanged. Answers null
 * for a workbook without order columns. The content of the file must have been checked before.
 * After `deadline` (by performance.now) no further batch starts, and the answer has an error for the rest. The same
 * happens at the owner's quota, which is checked in the transaction of each batch.
 */
export async function importOrders(
  deps: OrderDeps,
  {
    file,
    ownerId,
    deadline,
    seconds = maxReadSeconds,
  }: { file: OrderFile; ownerId: number; deadline: number; seconds?: number | undefined },
): Promise<OrderImportResult | null> {
  const sheet = await readOrderSheet(file, seconds)
  if (sheet === null) return null
  const { problems } = sheet
  const orders = [...sheet.orders.values()]
  const eventtime = await readDatabaseTime(deps.db)
  let importedCount = 0
  for (let at = 0; at < orders.length; at += parcelBatch) {
    if (performance.now() > deadline) {
      const problem = fieldError('file', 'orders_out_of_time', { orders: orders.length - at })
      problems.errors.unshift({ row: 0, ...problem })
      break
    }
    const batch = orders.slice(at, at + parcelBatch)
    const events = batch.map((order) => ({ ...order, owner_id: ownerId, state: newOrderState, eventtime }))
    const storedCount = await storeBatch(deps, ownerId, events)
    if (storedCount === null) {
      const problem = fieldError('file', 'orders_over_quota', {
        orders: orders.length - at,
        max: deps.config.quotas.parcels,
      })
      problems.errors.unshift({ row: 0, ...problem })
      break
    }
    importedCount += storedCount
  }
  const skippedCount = problems.skipped + orders.length - importedCount
  return { imported: importedCount, skipped: skippedCount, errors: problems.errors }
}

/** Answers how many parcels of a batch were new. Stores nothing and answers null if they exceed the owner's quota. */
async function storeBatch(
  { db, config }: OrderDeps,
  ownerId: number,
  batch: readonly ParcelEventInput[],
): Promise<number | null> {
  const overQuota = createParcelQuotaError(config.quotas)
  try {
    return await inTransaction(db, async (trx) => {
      const { imported } = await storeParcels(trx, batch, { isFromOrderFile: true })
      if (imported > 0 && (await readParcelRoom(trx, ownerId, config.quotas)) < 0) throw overQuota
      return imported
    })
  } catch (error) {
    if (error === overQuota) return null
    throw error
  }
}

/** Errors: 422 if the new orders of the file exceed the owner's quota. */
export async function refuseOrdersOverQuota(
  { db, config }: OrderDeps,
  file: OrderFile,
  ownerId: number,
): Promise<void> {
  const room = await readParcelRoom(db, ownerId, config.quotas)
  if (room >= maxOrders) return
  const sheet = await readOrderSheet(file, maxReadSeconds)
  if (sheet === null) return
  const newOrders = await countNewOrders(db, ownerId, [...sheet.orders.keys()])
  if (newOrders > Math.max(0, room)) throw createParcelQuotaError(config.quotas)
}
