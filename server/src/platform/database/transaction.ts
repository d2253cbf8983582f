import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from './pool.ts'
import { canRetry } from './pg-errors.ts'

const maxAttempts = 5

interface TransactionOptions {
  /** Whether the transaction runs again after the error. */
  shouldRetry?: (error: unknown) => boolean
}

/** What a request does at the start and after the commit of each of its transactions. */
export interface TransactionHooks {
  onBegin(trx: Db): Promise<void>
  onCommit(): void
}

const hooksStorage = new AsyncLocalStorage<TransactionHooks>()

/** Runs `work` with hooks for its transactions. */
export const runWithTransactionHooks = <T>(hooks: TransactionHooks, work: () => Promise<T>): Promise<T> =>
  hooksStorage.run(hooks, work)

/**
 * Runs `work` in one transaction, and again after a deadlock or a serialisation failure, up to five times.
 * `work` must use only this transaction and have no other side effects.
 */
export async function inTransaction<T>(
  db: Db,
  work: (trx: Db) => Promise<T>,
  { shouldRetry = canRetry }: TransactionOptions = {},
): Promise<T> {
  const hooks = hooksStorage.getStore()
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await db.transaction().execute(async (trx) => {
        await hooks?.onBegin(trx)
        return work(trx)
      })
      hooks?.onCommit()
      return result
    } catch (error) {
      if (attempt >= maxAttempts || !shouldRetry(error)) throw error
    }
  }
}

/** Runs `work` in the given transaction. Given the database, it opens a transaction. */
export const joinTransaction = <T>(
  db: Db,
  work: (trx: Db) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> => (db.isTransaction ? work(db) : inTransaction(db, work, options))
