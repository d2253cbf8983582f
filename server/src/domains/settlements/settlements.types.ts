import type { CourierActLine } from '../../integrations/measoft/measoft.acts.ts'

/** A line of an act as a courier or a file gives it. Amounts are decimal texts, days yyyy-mm-dd; null: not given. */
export interface ActLineInput extends CourierActLine {
  orderno: string
}

/**
 * A whole act: a stored line that it lacks is removed from the act. A sum that is null is computed from the lines. A
 * stored act with the same code is the same act; without a code on one side, one with the same number and day.
 */
export interface ActInput {
  /** A file that lacks the day of the payment or the correction keeps the stored one. An admin only voids acts. */
  origin: 'courier' | 'file' | 'admin'
  code: string | null
  number: string
  act_date: string
  paid_at: string | null
  collected: string | null
  fees: string | null
  correction: string | null
  pay_type: string | null
  has_signed_copy: boolean | null
  /** Of the act's entry in the courier's list. Null makes the next sync read the act again. */
  header_hash: string | null
  lines: readonly ActLineInput[]
}

/** The courier account of the acts, and the currency of their amounts. */
export interface ActAccount {
  accountId: number
  currency: string
}

/** A line with its number among the lines of the same order in its act, from 1. */
export interface NumberedLine extends ActLineInput {
  occurrence: number
}

/** A stored line that changed. */
export interface ChangedLine {
  id: number
  parcel_id: number | null
}
