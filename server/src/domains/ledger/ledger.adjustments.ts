import type { Db } from '../../platform/database/pool.ts'
import { insertAdjustment, type Adjustment } from './ledger.adjustments.queries.ts'
import { postLedgerEntries } from './ledger.post.queries.ts'

/** Stores an adjustment and posts it against the account `adjustments`. */
export async function adjustAccount(
  trx: Db,
  adjustment: Adjustment,
): Promise<{ id: number; created_at: string }> {
  const row = await insertAdjustment(trx, adjustment)
  const { account, amount } = adjustment
  const { account_kind, ref_id, currency } = account
  await postLedgerEntries(trx, {
    causeType: 'adjustment',
    causeIds: [row.id],
    targets: [
      { causeId: row.id, accountKind: account_kind, refId: ref_id, currency, amount },
      { causeId: row.id, accountKind: 'adjustments', refId: 0, currency, amount: -amount },
    ],
  })
  return row
}
