import { sql } from 'kysely'
import type { Db } from './pool.ts'

/** Runs `work` in a transaction. If it throws, its changes are undone, and the transaction can continue. */
export async function inSavepoint<T>(trx: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint before_work`.execute(trx)
  try {
    return await work()
  } catch (error) {
    // On a lost connection this fails, too. The first error has the reason.
    await sql`rollback to savepoint before_work`.execute(trx).catch(() => {})
    throw error
  }
}
