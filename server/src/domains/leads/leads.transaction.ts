import type { Db } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'

const attempts = 5

/**
 * Runs a change of leads: inside the transaction it is given, or in one of its own that starts over should it
 * fall victim to another.
 */
export async function leadTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : inTransaction(db, work, attempts)
}
