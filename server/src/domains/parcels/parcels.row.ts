import type { RowReader } from '../../platform/spreadsheets/spreadsheets.import.ts'
import { readDay, readDecimal, textUpTo } from '../../platform/spreadsheets/spreadsheets.values.ts'
import type { OrderColumn } from './parcels.headings.ts'
import type { ParcelTold } from './parcels.parcel.ts'

/** What an order file tells of one parcel, its state and owner aside. */
export type OrderTold = Omit<ParcelTold, 'state' | 'eventtime' | 'owner_id'>

/** Reads the order columns of a row; null where it has no order number. What is wrong is noted in the row. */
export function readOrder(row: RowReader<OrderColumn>): OrderTold | null {
  const orderno = row.required('orderno', textUpTo(100))
  const quantity = row.optional('quantity', (value) => readDecimal(withoutZeroes(value), 0, 9))
  const told = {
    barcode: row.optional('barcode', textUpTo(100)),
    day: row.optional('date', readDay),
    type_name: row.optional('type', textUpTo(255)),
    weight: row.optional('weight', (value) => readDecimal(value, 3, 9)),
    quantity: quantity === null ? null : Number(quantity),
    service_name: row.optional('service', textUpTo(255)),
    delivery_price: row.optional('delivery_price', (value) => readDecimal(value, 2)),
    person: row.optional('person', textUpTo(255)),
    company: row.optional('company', textUpTo(255)),
    phone: row.optional('phone', textUpTo(100)),
    address: row.optional('address', textUpTo(1000)),
    town: row.optional('town', textUpTo(255)),
  }
  return orderno === null ? null : { orderno, ...told }
}

/** `2.0` is a whole number to whoever typed it. */
const withoutZeroes = (text: string) => text.replace(/[.,]0+$/, '')
