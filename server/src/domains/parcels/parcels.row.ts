import { valueFault } from '@karvon/contract/lib/field-messages.ts'
import type { RowReader } from '../../platform/spreadsheets/spreadsheets.import.ts'
import { isTotalWord } from '../../platform/spreadsheets/spreadsheets.text.ts'
import { createTextParser, type CellResult } from '../../platform/spreadsheets/spreadsheets.values.ts'
import { readParcelDetails, type ParcelDetails } from './parcels.details.ts'
import type { HistoryColumn } from './parcels.headings.ts'

/** One row of an order file: a parcel without its state and owner. */
export interface OrderInput extends ParcelDetails {
  orderno: string
}

const parseOrderNumberText = createTextParser(100)
const parseOrderNumber = (text: string): CellResult<string> =>
  isTotalWord(text) ? { fault: valueFault('total_row') } : parseOrderNumberText(text)

/**
 * Reads the order columns of a row; null without an order number. The row keeps its problems. A column that the file
 * cannot have, such as the courier's name in an order file, is empty.
 */
export function readOrder(row: RowReader<HistoryColumn>): OrderInput | null {
  const orderno = row.readRequired('orderno', parseOrderNumber)
  const details = readParcelDetails((field, parse) => row.readOptional(field, parse))
  return orderno === null ? null : { orderno, ...details }
}
