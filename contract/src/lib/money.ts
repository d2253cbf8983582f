import { Type } from 'typebox'

/** An ISO 4217 code. */
export const Currency = Type.String({ pattern: '^[A-Z]{3}$' })

/** The types of causes of ledger entries. */
export const causeTypes = [
  'lead',
  'settlement_line',
  'settlement_act',
  'network_transaction',
  'withdrawal',
  'adjustment',
] as const
export type CauseType = (typeof causeTypes)[number]
