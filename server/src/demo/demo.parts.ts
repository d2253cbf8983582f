import type { LeadInput } from '../domains/leads/leads.types.ts'
import type { ParcelEventInput } from '../domains/parcels/parcels.types.ts'
import type { Db } from '../platform/database/pool.ts'
import type { DemoNetworks } from './demo.networks.ts'

/** One event of a parcel; `state` is the courier's code. */
export type DemoParcel = Omit<ParcelEventInput, 'state' | 'day'> & { state: string; day: string }

/** The product's own functions, which store the demo's data. Tests replace them. */
export interface DemoParts {
  ingestLeads(trx: Db, sourceId: number, leads: readonly LeadInput[]): Promise<unknown>
  storeParcels(trx: Db, parcels: readonly DemoParcel[]): Promise<unknown>
  seedDefaultMappings(trx: Db, sourceId: number): Promise<void>
  /** Without networks, the demo has no accounts to sync. */
  networks?: DemoNetworks | undefined
}
