import type { ScheduleBody } from '@karvon/contract/saved-views/saved-views.schedule-body.ts'
import type { LeadInput } from '../domains/leads/leads.types.ts'
import type { ParcelEventInput } from '../domains/parcels/parcels.types.ts'
import type { WithdrawalDecision } from '../domains/payouts/payouts.decide.ts'
import type { StatementPeriod } from '../domains/payouts/payouts.statements.queries.ts'
import type { ActAccount, ActInput } from '../domains/settlements/settlements.types.ts'
import type { Db } from '../platform/database/pool.ts'
import type { DemoNetworks } from './demo.networks.ts'

/** One event of a parcel; `state` is the courier's code. */
export type DemoParcel = Omit<ParcelEventInput, 'state' | 'day'> & { state: string; day: string }

interface DemoWithdrawal {
  userId: number
  currency: string
  amount: number
  details: string
}

interface DemoAdjustment {
  userId: number
  currency: string
  /** Negative: for the person. */
  amount: number
  reason: string
  adminId: number
}

/** The product's own functions of money. */
export interface DemoMoney {
  storeAct(trx: Db, account: ActAccount, act: ActInput): Promise<unknown>
  /** Answers the id. */
  requestWithdrawal(trx: Db, withdrawal: DemoWithdrawal): Promise<number>
  decideWithdrawal(trx: Db, decision: WithdrawalDecision): Promise<void>
  /** Sends the approved withdrawals in a currency to the bank. Answers the id of their registry. */
  createRegistry(trx: Db, currency: string, adminId: number): Promise<number>
  adjust(trx: Db, adjustment: DemoAdjustment): Promise<void>
  closeStatement(trx: Db, period: StatementPeriod, adminId: number): Promise<unknown>
}

/** The product's own functions, which store the demo's data. Tests replace them. */
export interface DemoParts {
  ingestLeads(trx: Db, sourceId: number, leads: readonly LeadInput[]): Promise<unknown>
  storeParcels(trx: Db, parcels: readonly DemoParcel[]): Promise<unknown>
  seedDefaultMappings(trx: Db, sourceId: number): Promise<void>
  scheduleView(trx: Db, viewId: number, schedule: Required<ScheduleBody>): Promise<void>
  /** Without networks, the demo has no accounts to sync, no acts and no payouts. */
  networks?: DemoNetworks | undefined
}
