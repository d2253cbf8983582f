import type { Db } from '../../platform/database/pool.ts'
import type { LedgerAccountKey } from '../../platform/database/tables.money.ts'
import { queryRows } from '../../platform/database/rows.ts'
import { createInUseError } from '../../resources/in-use.ts'

const tables = { network: 'cpa_sources', courier: 'courier_accounts', person: 'users' } as const

/**
 * Locks the network, courier account or person of an account, so that it is not deleted meanwhile. False if an admin cannot
 * correct the account: its network, courier account or person does not exist, and it is neither `fees` nor `paid`.
 */
export async function lockAccountForAdjustment(
  trx: Db,
  { account_kind, ref_id }: LedgerAccountKey,
): Promise<boolean> {
  if (account_kind === 'fees' || account_kind === 'paid') return ref_id === 0
  if (account_kind !== 'network' && account_kind !== 'courier' && account_kind !== 'person') return false
  const text = `select from ${tables[account_kind]} where id = $1 for no key update`
  return (await queryRows(trx, text, [ref_id])).length > 0
}

/** Whether an account of the ledger has entries. */
export async function hasEntries(
  trx: Db,
  { account_kind, ref_id, currency }: LedgerAccountKey,
): Promise<boolean> {
  const text = `select from ledger_entries where account_kind = $1 and ref_id = $2 and currency = $3 limit 1`
  return (await queryRows(trx, text, [account_kind, ref_id, currency])).length > 0
}

/**
 * Errors: 409 `in_use` if an account of the ledger has adjustments. Its other entries have causes that refer to its network or
 * courier account. The caller has locked this row.
 */
export async function refuseAdjustedAccount(
  trx: Db,
  accountKind: 'network' | 'courier',
  refId: number,
): Promise<void> {
  const { count } = await trx
    .selectFrom('ledger_adjustments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_kind', '=', accountKind)
    .where('ref_id', '=', refId)
    .executeTakeFirstOrThrow()
  if (count > 0) throw createInUseError(new Map([['ledger_adjustments', count]]))
}

export interface Adjustment {
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
