import type { Db } from '../db/pool.ts'
import { canRetry } from '../kit/pg-errors.ts'

const attempts = 5

/**
 * Runs a change of leads: inside the transaction it is given, or in one of its own that starts over should it
 * fall victim to another.
 */
export async function leadTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db)
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt >= attempts || !canRetry(error)) throw error
    }
  }
}
