import type { adjustLedger } from '@karvon/contract/ledger/ledger.ts'
import type { BodyOf } from '@karvon/contract/lib/call.ts'
import type { Db } from '../../platform/database/pool.ts'

export type Adjustment = BodyOf<typeof adjustLedger>

/** Whether an account can exist: its network, courier account or person does, and the other kinds have the id 0. */
export async function hasAccount(
  trx: Db,
  { account_kind, account_id }: Pick<Adjustment, 'account_kind' | 'account_id'>,
): Promise<boolean> {
  if (account_kind === 'fees' || account_kind === 'cash') return account_id === 0
  const table = ({ network: 'cpa_sources', courier: 'courier_accounts', person: 'users' } as const)[
    account_kind
  ]
  const row = await trx.selectFrom(table).select('id').where('id', '=', account_id).executeTakeFirst()
  return row !== undefined
}

export const insertAdjustment = (trx: Db, adjustment: Adjustment, userId: number) =>
  trx
    .insertInto('ledger_adjustments')
    .values({ ...adjustment, created_by: userId })
    .returning(['id', 'account_kind', 'account_id', 'currency', 'amount', 'reason', 'created_at'])
    .executeTakeFirstOrThrow()
