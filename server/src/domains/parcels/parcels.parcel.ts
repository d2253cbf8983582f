import type { ParcelState } from './parcels.codes.ts'

/**
 * One event of a parcel, with what is told of the parcel itself. Null means that it is not told. `day` is
 * yyyy-mm-dd, `eventtime` a text that PostgreSQL reads; `weight` in kg with at most 3 decimals and
 * `delivery_price` with at most 2, as decimal strings.
 */
export interface ParcelTold {
  orderno: string
  owner_id: number | null
  state: ParcelState
  eventtime: string
  day: string | null
  barcode: string | null
  type_name: string | null
  weight: string | null
  quantity: number | null
  service_name: string | null
  delivery_price: string | null
  person: string | null
  company: string | null
  phone: string | null
  address: string | null
  town: string | null
}

/** What became of a batch's rows: those that made a parcel, those that changed one, those that said nothing new. */
export interface ParcelsTaken {
  imported: number
  updated: number
  unchanged: number
}
