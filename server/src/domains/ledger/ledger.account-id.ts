import type { AccountKind } from '@karvon/contract/ledger/ledger.ts'
import type { LedgerAccountKey } from '../../platform/database/tables.money.ts'

/** Reads the id of an account that the contract's pattern allows, such as `person-12-UZS`. */
export function parseAccountId(id: string): LedgerAccountKey {
  const [kind = '', ref = '', currency = ''] = id.split('-')
  return { account_kind: kind as AccountKind, ref_id: Number(ref), currency }
}
