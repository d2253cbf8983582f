import type { RowProblem } from '@karvon/contract/lib/import.ts'
import { sql } from 'kysely'
import { databaseTime } from '../../platform/database/clock.ts'
import type { Deps } from '../../platform/deps.ts'
import { parcelRoom, parcelsOverQuota } from '../quotas/quotas.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { newOrder } from './parcels.codes.ts'
import type { ParcelTold } from './parcels.parcel.ts'
import { parcelBatch, takeInParcels } from './parcels.sink.ts'
import { maxOrders, readOrderSheet, type OrderFile } from './parcels.sheet.ts'

/** What became of an order file's rows; `skipped` counts rows with errors and orders that are known already. */
export interface OrdersTaken {
  imported: number
  skipped: number
  errors: RowProblem[]
}

type StoreParts = Pick<Deps, 'db' | 'config'>

/** Times that a batch is tried where other transactions make it fail. */
const attempts = 5

/** Seconds to read a workbook; ten thousand orders take half of one. */
const patience = 2.5

/**
 * Takes the orders of an uploaded workbook in as new parcels of `ownerId`; what is known already is left as
 * it is. Null where the workbook has no order columns. The file must have passed the check of its content.
 * Past `deadline` (on the clock of performance.now) no further batch is begun, and the answer says so; likewise at the
 * owner's quota, by which each batch is judged in the transaction that stores it.
 */
export async function takeOrders(
  deps: StoreParts,
  file: OrderFile,
  ownerId: number,
  deadline: number,
  seconds = patience,
): Promise<OrdersTaken | null> {
  const sheet = await readOrderSheet(file, seconds)
  if (sheet === null) return null
  const { problems } = sheet
  const orders = [...sheet.orders.values()]
  const eventtime = await databaseTime(deps.db)
  let imported = 0
  for (let at = 0; at < orders.length; at += parcelBatch) {
    if (performance.now() > deadline) {
      const message = `There was no time left for ${orders.length - at} orders: send the file once more.`
      problems.errors.unshift({ row: 0, field: 'file', message })
      break
    }
    const batch = orders.slice(at, at + parcelBatch)
    const told = batch.map((order) => ({ ...order, owner_id: ownerId, state: newOrder, eventtime }))
    const stored = await storeBatch(deps, ownerId, told)
    if (stored === null) {
      const message = `${orders.length - at} orders were not stored. ${parcelsOverQuota(deps.config.quotas).message}`
      problems.errors.unshift({ row: 0, field: 'file', message })
      break
    }
    imported += stored
  }
  const skipped = problems.skipped + orders.length - imported
  return { imported, skipped, errors: problems.errors }
}

/** How many of a batch were new; null, and none of them stored, where they do not fit into the owner's quota. */
async function storeBatch(
  { db, config }: StoreParts,
  ownerId: number,
  batch: readonly ParcelTold[],
): Promise<number | null> {
  const overQuota = parcelsOverQuota(config.quotas)
  try {
    return await inTransaction(
      db,
      async (trx) => {
        const { imported } = await takeInParcels(trx, batch, { known: 'leave', fromOrderFile: true })
        if (imported > 0 && (await parcelRoom(trx, ownerId, config.quotas)) < 0) throw overQuota
        return imported
      },
      attempts,
    )
  } catch (error) {
    if (error === overQuota) return null
    throw error
  }
}

/** Errors: 422 `quota_exceeded` where the orders that are not known yet do not fit into the owner's quota. */
export async function refuseOrdersOverQuota(
  { db, config }: StoreParts,
  file: OrderFile,
  ownerId: number,
): Promise<void> {
  const room = await parcelRoom(db, ownerId, config.quotas)
  if (room >= maxOrders) return
  const sheet = await readOrderSheet(file, patience)
  if (sheet === null) return
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from unnest(${[...sheet.orders.keys()]}::text[]) o (orderno)
    where not exists (select from parcels p where p.owner_id = ${ownerId} and p.orderno = o.orderno)`.execute(
    db,
  )
  if ((rows[0]?.count ?? 0) > Math.max(0, room)) throw parcelsOverQuota(config.quotas)
}
