import type { AccountKind } from '@karvon/contract/ledger/ledger.ts'

export interface AccountKey {
  account_kind: AccountKind
  ref_id: number
  currency: string
}

/** Reads the id of an account that the contract's pattern allows, such as `person-12-UZS`. */
export function parseAccountId(id: string): AccountKey {
  const [kind = '', ref = '', currency = ''] = id.split('-')
  return { account_kind: kind as AccountKind, ref_id: Number(ref), currency }
}
