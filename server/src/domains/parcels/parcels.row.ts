import { valueFault } from '@karvon/contract/lib/field-messages.ts'
import type { RowReader } from '../../platform/spreadsheets/spreadsheets.import.ts'
import { createTextParser, type CellResult } from '../../platform/spreadsheets/spreadsheets.values.ts'
import { readParcelDetails, type ParcelDetails } from './parcels.details.ts'
import type { HistoryColumn } from './parcels.headings.ts'

/** One row of an order file: a parcel without its state and owner. */
export interface OrderInput extends ParcelDetails {
  orderno: string
}

/** The word of a row of totals, which is below the orders, in Russian, English and Uzbek. */
const totalWord = /^(?:итого|всего|total|jami|жами)(?![\p{L}\p{N}-])/iu

const parseOrderNumberText = createTextParser(100)
const parseOrderNumber = (text: string): CellResult<string> =>
  totalWord.test(text) ? { fault: valueFault('total_row') } : parseOrderNumberText(text)

/**
 * Reads the order columns of a row; null without an order number. The row keeps its problems. A column that the file
 * cannot have, such as the courier's name in an order file, is empty.
 */
export function readOrder(row: RowReader<HistoryColumn>): OrderInput | null {
  const orderno = row.readRequired('orderno', parseOrderNumber)
  const details = readParcelDetails((field, parse) => row.readOptional(field, parse))
  return orderno === null ? null : { orderno, ...details }
}
