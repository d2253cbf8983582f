import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import type { Network } from '../../integrations/cpa-network/cpa-network.ts'
import type { Deps } from '../../platform/deps.ts'
import type { SyncRunContext } from '../syncs/syncs.kind.ts'
import type { NetworkCredential } from './connectors.account.ts'
import type { MoneyList, MoneyScan } from './connectors.money.ts'
import type { FetchMissingOffers } from './connectors.offers.ts'
import type { OrdersScan } from './connectors.scans.ts'

export type NetworkSyncDeps = Pick<Deps, 'db' | 'encryption' | 'outgoing' | 'config'>

/** What a run of an account stores for the next runs. */
export interface ScanMemory {
  /** The account at the network that the other values are about. */
  account?: { source_id: number; login: string }
  /** See `buildOrigin`. */
  origin?: string
  /** The number of complete scans, at most 2. The first two scans read every order. */
  complete_scans?: number
  /** The last complete scan of the recent orders. */
  last_complete_scan?: { started_at: string; newest: string | null }
  /** Every older lead was final at the end of the last full scan, or of the recent scan after it. */
  open_leads_since?: string
  /** A full scan that the next run continues. */
  full_scan?: OrdersScan
  /** The start of the last complete full scan with the present description. */
  last_full_scan_at?: string
  /** The description changed, and no full scan with the present one is complete. */
  has_new_description?: boolean
  /** The scans of the lists of the account's money. */
  money?: Partial<Record<MoneyList, MoneyScan>>
}

/** What the parts of a sync run of a network work with. */
export interface NetworkSyncContext {
  deps: NetworkSyncDeps
  credential: NetworkCredential
  description: ConnectorDescription
  /** See `buildOrigin`. */
  origin: string
  network: Network
  run: SyncRunContext
  fetchMissingOffers: FetchMissingOffers
  memory: ScanMemory
  /** Time of the last request, by the database's clock. */
  requestedAt: () => Date
}

/** Maximum number of pages of a list in one run, if the description gives none. */
export const defaultMaxPages = 20_000
