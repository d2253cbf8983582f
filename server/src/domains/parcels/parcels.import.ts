import type { ImportAnswer } from '@karvon/contract/lib/import.ts'
import type { Db } from '../../platform/database/pool.ts'
import { importTable, type RowReader } from '../../platform/spreadsheets/spreadsheets.import.ts'
import type { TableFile } from '../../platform/spreadsheets/spreadsheets.read.ts'
import { readMoment, type Reading } from '../../platform/spreadsheets/spreadsheets.values.ts'
import { newOrder, stateOf, type ParcelState } from './parcels.codes.ts'
import { historyHeadings, type HistoryColumn } from './parcels.headings.ts'
import type { ParcelTold } from './parcels.parcel.ts'
import { readOrder } from './parcels.row.ts'
import { parcelBatch, type TakeParcels } from './parcels.sink.ts'

/**
 * Takes in parcels with their histories, a row an event: batch by batch, and a second run is harmless. A row
 * without a status is a new order; one without an event's time happened when its day began.
 * Errors: 422 `invalid` for a missing column or an empty file; see {@link importTable}.
 */
export async function importParcels(db: Db, file: TableFile, take: TakeParcels): Promise<ImportAnswer> {
  const owners = await ownersByName(db)
  return importTable<HistoryColumn, ParcelTold>({
    file,
    headings: historyHeadings,
    required: ['orderno'],
    read: (row) => parcelOf(row, owners),
    batch: parcelBatch,
    take: (parcels) => take(db, parcels),
  })
}

async function ownersByName(db: Db): Promise<ReadonlyMap<string, number>> {
  const users = await db.selectFrom('users').select(['id', 'username']).execute()
  return new Map(users.map(({ id, username }) => [username.toLowerCase(), id]))
}

function parcelOf(row: RowReader<HistoryColumn>, owners: ReadonlyMap<string, number>): ParcelTold | null {
  const order = readOrder(row)
  const state = row.optional('status', readState) ?? newOrder
  const owner = row.optional('owner', (name) => readOwner(name, owners))
  const time = row.optional('event_time', readMoment)
  const eventtime = time ?? dayStart(order?.day)
  if (eventtime === null && row.problems.length === 0)
    row.fail('event_time', 'is required where there is no date')
  if (order === null || eventtime === null || row.problems.length > 0) return null
  return { ...order, owner_id: owner, state, eventtime }
}

function readState(word: string): Reading<ParcelState> {
  const value = stateOf(word)
  return value === undefined ? { problem: 'is not a known status' } : { value }
}

function readOwner(name: string, owners: ReadonlyMap<string, number>): Reading<number> {
  const value = owners.get(name.toLowerCase())
  return value === undefined ? { problem: 'is not a username' } : { value }
}

const dayStart = (day: string | null | undefined) =>
  day === null || day === undefined ? null : `${day} 00:00:00`
