import type { Db } from '../db/pool.ts'
import { canRetry } from './pg-errors.ts'

/**
 * Runs `work` in one transaction, a second time where another transaction made the first fail (deadlock,
 * serialisation). `work` must use only the transaction it is given, and leave nothing behind outside it.
 */
export async function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  const run = () => db.transaction().execute(work)
  try {
    return await run()
  } catch (error) {
    if (canRetry(error)) return run()
    throw error
  }
}
