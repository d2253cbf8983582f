import type { RowReader } from '../../platform/spreadsheets/spreadsheets.import.ts'
import { createTextParser } from '../../platform/spreadsheets/spreadsheets.values.ts'
import { readParcelDetails, type ParcelDetails } from './parcels.details.ts'
import type { HistoryColumn } from './parcels.headings.ts'

/** One row of an order file: a parcel without its state and owner. */
export interface OrderInput extends ParcelDetails {
  orderno: string
}

/**
 * Reads the order columns of a row; null without an order number. The row keeps its problems. A column that the file
 * cannot have, such as the courier's name in an order file, is empty.
 */
export function readOrder(row: RowReader<HistoryColumn>): OrderInput | null {
  const orderno = row.readRequired('orderno', createTextParser(100))
  const details = readParcelDetails((field, parse) => row.readOptional(field, parse))
  return orderno === null ? null : { orderno, ...details }
}
