import { valueFault } from '@karvon/contract/lib/field-messages.ts'
import type { ImportAnswer } from '@karvon/contract/lib/import.ts'
import type { Db } from '../../platform/database/pool.ts'
import { importSheet, type RowReader } from '../../platform/spreadsheets/spreadsheets.import.ts'
import { normalizeSignInName, normalizeUsername } from '../../platform/security/usernames.ts'
import type { SheetFile } from '../../platform/spreadsheets/spreadsheets.read.ts'
import {
  isFarAhead,
  parsePastTime,
  type CellResult,
} from '../../platform/spreadsheets/spreadsheets.values.ts'
import { newOrderState, findParcelState, type ParcelState } from './parcels.codes.ts'
import { historyHeadings, type HistoryColumn } from './parcels.headings.ts'
import type { ParcelEventInput } from './parcels.types.ts'
import { readOrder } from './parcels.row.ts'
import { ingestParcels } from './parcels.ingest.ts'
import { parcelBatch } from './parcels.store.ts'
import { readOwnersByName } from './parcels.store.queries.ts'

/**
 * Imports parcels with their histories batch by batch. Each row is one event. A repeated import changes nothing.
 * A row without a status is a new order. An event without a time is at the beginning of its day, which must not be in the future.
 * Errors: 422 for a missing column or an empty file; see {@link importSheet}.
 */
export async function importParcelFile(db: Db, file: SheetFile): Promise<ImportAnswer> {
  const owners = await readOwnersByName(db)
  return importSheet<HistoryColumn, ParcelEventInput>({
    file,
    headerNames: historyHeadings,
    requiredColumns: ['orderno'],
    readRow: (row) => readParcelEvent(row, owners),
    batchSize: parcelBatch,
    // Otherwise the first batch could show a status that the order had before, and apply it to the lead.
    isSameRow: (event, next) => event.orderno === next.orderno && event.owner_id === next.owner_id,
    storeBatch: (parcels) => ingestParcels(db, parcels),
  })
}

function readParcelEvent(
  row: RowReader<HistoryColumn>,
  owners: ReadonlyMap<string, number>,
): ParcelEventInput | null {
  const order = readOrder(row)
  const state = row.readOptional('status', readState) ?? newOrderState
  const owner = row.readOptional('owner', (name) => readOwner(name, owners))
  const time = row.readOptional('event_time', parsePastTime)
  const eventtime = time ?? getDayStart(order?.day)
  if (row.problems.length === 0) {
    if (eventtime === null) row.addFault('event_time', valueFault('required_without_date'))
    // The events of the courier would be older, and never the status.
    else if (isFarAhead(eventtime)) row.addFault('date', valueFault('time_in_future'))
  }
  if (order === null || eventtime === null || row.problems.length > 0) return null
  return { ...order, owner_id: owner, state, eventtime }
}

function readState(text: string): CellResult<ParcelState> {
  const value = findParcelState(text)
  return value === undefined ? { fault: valueFault('unknown_status') } : { value }
}

function readOwner(name: string, owners: ReadonlyMap<string, number>): CellResult<number> {
  const value = owners.get(normalizeUsername(name)) ?? owners.get(normalizeSignInName(name))
  return value === undefined ? { fault: valueFault('unknown_username') } : { value }
}

const getDayStart = (day: string | null | undefined) =>
  day === null || day === undefined ? null : `${day} 00:00:00`
