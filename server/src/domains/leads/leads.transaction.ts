import type { Db } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'

const maxAttempts = 5

/**
 * Runs a change of leads in the given transaction. Given the database, it opens a transaction and repeats it after a
 * conflict with another transaction.
 */
export async function inLeadTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : inTransaction(db, work, { attempts: maxAttempts })
}
