import { Type } from 'typebox'

/** An ISO 4217 code. */
export const Currency = Type.String({ pattern: '^[A-Z]{3}$' })

/** What an entry of the ledger was posted for. */
export const causeTypes = [
  'lead',
  'settlement_line',
  'settlement_act',
  'network_transaction',
  'withdrawal',
  'adjustment',
] as const
export type CauseType = (typeof causeTypes)[number]
