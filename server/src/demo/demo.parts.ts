import type { Db } from '../platform/database/pool.ts'
import type { DemoNetworks } from './demo.networks.ts'

/** A lead's state at one moment, as a source would tell it. Times are texts in the installation's zone. */
export interface DemoLead {
  external_id: string
  word: string
  payout: string
  currency: string
  created_at: string
  updated_at: string
  offer: string | null
  offer_extra_id: string | null
  stream: string | null
  stream_extra_id: string | null
  comment: string | null
}

/** One event of a parcel; `state` is the courier's code. */
export interface DemoParcel {
  orderno: string
  owner_id: number | null
  state: string
  eventtime: string
  day: string
  barcode: string
  type_name: string
  weight: string
  quantity: number
  service_name: string
  delivery_price: string
  person: string
  company: string | null
  phone: string
  address: string
  town: string
}

/** The product's own ways in, which the demo uses like everybody else. */
export interface DemoParts {
  takeLeads(trx: Db, sourceId: number, leads: readonly DemoLead[]): Promise<unknown>
  takeParcels(trx: Db, parcels: readonly DemoParcel[]): Promise<unknown>
  seedWords(trx: Db, sourceId: number): Promise<void>
  /** Without it nobody has an account that is fetched. */
  networks?: DemoNetworks | undefined
}
