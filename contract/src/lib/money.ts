import { Type } from 'typebox'
import { maxMoney } from './limits.ts'

const currencyCodes = Intl.supportedValuesOf('currency')

/** Whether a text is a code of ISO 4217. */
export const isCurrency = (text: string): boolean => currencyCodes.includes(text)

/** A code of ISO 4217. */
export const Currency = Type.String({ enum: currencyCodes })

/** The currency of stored money. Money that is older than the check of codes may have any three letters. */
export const StoredCurrency = Type.String({ pattern: '^[A-Z]{3}$' })

/** A number with at most 2 decimals that is not negative. */
export const Money = Type.Number({ minimum: 0, maximum: maxMoney, multipleOf: 0.01 })

/** A number with at most 2 decimals that may be negative. */
export const SignedMoney = Type.Number({ minimum: -maxMoney, maximum: maxMoney, multipleOf: 0.01 })

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
