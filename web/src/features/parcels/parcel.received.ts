import type { Received } from '@karvon/contract/lib/received.ts'
import type { Parcel, ParcelWithHistory } from '@karvon/contract/parcels/parcels.ts'

/** A parcel as any host answers it: any part can be missing. */
export type ReceivedParcel = Received<Parcel>
export type ReceivedParcelWithHistory = Received<ParcelWithHistory>

const rowKeyPrefix = 'row '

/** The key of a row, also in the URL: its id, else its order number or barcode. */
export const getParcelKey = ({ id, ...row }: ReceivedParcel): string =>
  id === undefined || id === null
    ? rowKeyPrefix + (row.orderno ?? row.barcode ?? JSON.stringify(row))
    : String(id)

/** Whether the key is an id, by which the host can be asked. */
export const isParcelId = (key: string): boolean => !key.startsWith(rowKeyPrefix)
