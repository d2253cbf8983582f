import type { Db } from '../../platform/database/pool.ts'
import { joinTransaction } from '../../platform/database/transaction.ts'
import type { IngestResult } from '../../platform/spreadsheets/spreadsheets.progress.ts'
import {
  foldEventsSql,
  insertEvents,
  insertNewParcels,
  lockKnownParcels,
  moveOrderEvents,
  updateDetails,
  updateStatuses,
} from './parcels.store.queries.ts'
import type { ParcelEventInput } from './parcels.types.ts'

/** Maximum number of events in one batch. An import stores each batch in its own transaction. */
export const parcelBatch = 1000

interface StoreOptions {
  /**
   * The parcels come from their owner's order file. New ones count for the owner's quota; known ones stay unchanged.
   */
  isFromOrderFile?: boolean
  /** The courier account that reports the parcels. It is stored in those that have none. */
  accountId?: number | null
}

/**
 * Stores parcels and their events. All sources of parcels use this function. Given a transaction, it works inside
 * that transaction; given the database, it opens a transaction and repeats it after a deadlock.
 *
 * - A parcel is unique by owner and order number, an event by parcel, raw code and time. Repeated input changes
 *   nothing, and events may arrive in any order.
 * - The newest event gives the parcel its status. Of two events at the same time the further state applies, then the
 *   larger raw code.
 * - The order of an order file is older than all events of the courier, whenever the file was uploaded.
 * - A detail of a newer event replaces the detail of an older one. A detail that is null changes nothing.
 */
export async function storeParcels(
  db: Db,
  batch: readonly ParcelEventInput[],
  options: StoreOptions = {},
): Promise<IngestResult> {
  if (batch.length === 0) return { imported: 0, updated: 0, unchanged: 0 }
  return joinTransaction(db, (trx) => storeBatch(trx, batch, options))
}

async function storeBatch(
  trx: Db,
  batch: readonly ParcelEventInput[],
  { isFromOrderFile = false, accountId = null }: StoreOptions,
): Promise<IngestResult> {
  const foldedEvents = foldEventsSql(batch)
  const createdIds = await insertNewParcels(trx, foldedEvents, { isFromOrderFile, accountId })
  let knownIds: number[] = []
  const distinct = new Set(batch.map(({ owner_id, orderno }) => `${owner_id} ${orderno}`))
  if (!isFromOrderFile && createdIds.size < distinct.size) {
    knownIds = (await lockKnownParcels(trx, foldedEvents)).filter((id) => !createdIds.has(id))
  }
  const movedIds = knownIds.length === 0 ? [] : await moveOrderEvents(trx, foldedEvents, knownIds)
  // Before the details are compared: those of the order file are older than all of the courier's.
  if (movedIds.length > 0) await updateStatuses(trx, movedIds)
  const changedIds =
    knownIds.length === 0 ? [] : await updateDetails(trx, foldedEvents, { knownIds, accountId })
  const events = await insertEvents(trx, foldedEvents, [...createdIds, ...knownIds])
  const idsWithNewEvents = new Set(events.filter((id) => !createdIds.has(id)))
  if (idsWithNewEvents.size > 0) await updateStatuses(trx, [...idsWithNewEvents])
  const importedCount = createdIds.size
  const otherIds = new Set([...movedIds, ...changedIds]).difference(idsWithNewEvents)
  const updatedCount = events.length - importedCount + otherIds.size
  return {
    imported: importedCount,
    updated: updatedCount,
    unchanged: batch.length - importedCount - updatedCount,
  }
}
