import type { ParcelState } from './parcels.codes.ts'
import type { ParcelDetails } from './parcels.details.ts'

/** One event of a parcel, with the details of the parcel. `eventtime` is a text that PostgreSQL reads. */
export interface ParcelEventInput extends ParcelDetails {
  orderno: string
  owner_id: number | null
  state: ParcelState
  eventtime: string
}
