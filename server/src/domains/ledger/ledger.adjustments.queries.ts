import type { Db } from '../../platform/database/pool.ts'
import type { LedgerAccountKey } from '../../platform/database/tables.money.ts'
import { hasRow } from '../../platform/database/rows.ts'

const tables = { network: 'cpa_sources', courier: 'courier_accounts', person: 'users' } as const

/**
 * Whether an admin can correct an account: its network, courier account or person exists, or it is `fees` or `paid`.
 */
export async function isAdjustable(trx: Db, { account_kind, ref_id }: LedgerAccountKey): Promise<boolean> {
  if (account_kind === 'fees' || account_kind === 'paid') return ref_id === 0
  if (account_kind !== 'network' && account_kind !== 'courier' && account_kind !== 'person') return false
  return hasRow(trx, tables[account_kind], ref_id)
}

interface Adjustment {
  account: LedgerAccountKey
  amount: number
  reason: string
  userId: number
}

export const insertAdjustment = (trx: Db, { account, amount, reason, userId }: Adjustment) =>
  trx
    .insertInto('ledger_adjustments')
    .values({ ...account, amount, reason, created_by: userId })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
