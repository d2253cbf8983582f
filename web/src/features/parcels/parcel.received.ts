import type { Received } from '@karvon/contract/lib/received.ts'
import type { Parcel, ParcelWithHistory } from '@karvon/contract/parcels/parcels.ts'

/** A parcel as whatever host answers it: any part of it can be missing. */
export type ReceivedParcel = Received<Parcel>
export type ReceivedParcelWithHistory = Received<ParcelWithHistory>

const withoutId = 'row '

/** What tells a row from the others, and names it in the address: its id, or else what is written on it. */
export const parcelKey = ({ id, ...row }: ReceivedParcel): string =>
  id === undefined || id === null
    ? withoutId + (row.orderno ?? row.barcode ?? JSON.stringify(row))
    : String(id)

/** Whether the host can be asked for the parcel by this key. */
export const isParcelId = (key: string): boolean => !key.startsWith(withoutId)
