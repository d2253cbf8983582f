import type { Db } from '../../platform/database/pool.ts'

/**
 * Posts to the ledger what changed by the lines of one act, in the transaction that changed them, which holds the lock on
 * the courier account. A line is the cause of its entries: its collected amount, its fees and its parcel's owner. A line
 * with `removed_at` counts as 0. Only the difference from what is posted already is posted, so that a repetition posts
 * nothing. `actId` is the act, whose correction and payment may have changed too; `lineIds` may be empty.
 */
export async function postActEntries(_trx: Db, _lineIds: readonly number[], _actId: number): Promise<void> {
  // Nothing is posted as long as there is no ledger.
}
