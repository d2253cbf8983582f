import type { Db } from '../../platform/database/pool.ts'
import { hasRow } from '../../platform/database/rows.ts'
import type { AccountKey } from './ledger.account-id.ts'

const tables = { network: 'cpa_sources', courier: 'courier_accounts', person: 'users' } as const

/** Whether an admin can correct an account: its network, courier account or person exists, or it is `fees` or `paid`. */
export async function isAdjustable(trx: Db, { account_kind, ref_id }: AccountKey): Promise<boolean> {
  if (account_kind === 'fees' || account_kind === 'paid') return ref_id === 0
  if (account_kind !== 'network' && account_kind !== 'courier' && account_kind !== 'person') return false
  return hasRow(trx, tables[account_kind], ref_id)
}

interface Adjustment {
  account: AccountKey
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
