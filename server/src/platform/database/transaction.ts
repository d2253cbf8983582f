import type { Db } from './pool.ts'
import { getIdempotentRequest } from '../http/idempotency.ts'
import { canRetry } from './pg-errors.ts'
import type { RawJson } from '../http/raw-json.ts'

const maxAttempts = 5

/**
 * Runs `work` in one transaction, and again after a deadlock or a serialisation failure, up to five times.
 * `work` must use only this transaction and have no other side effects. The first transaction of a request with an
 * Idempotency-Key claims this key.
 */
export async function inTransaction<T>(
  db: Db,
  work: (trx: Db) => Promise<T>,
  { shouldRetry = canRetry }: { shouldRetry?: (error: unknown) => boolean } = {},
): Promise<T> {
  const key = getIdempotentRequest()
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await db.transaction().execute(async (trx) => {
        await key?.claimKey(trx)
        return work(trx)
      })
      key?.markCommitted()
      return result
    } catch (error) {
      if (attempt >= maxAttempts || !shouldRetry(error)) throw error
    }
  }
}

/** Runs `work` in the given transaction. Given the database, it opens a transaction. */
export const joinTransaction = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : inTransaction(db, work)

/** Stores the answer for repeats of the request, in the transaction of the change. */
export async function storeAnswerForRepeats(trx: Db, answer: RawJson): Promise<RawJson> {
  await getIdempotentRequest()?.storeAnswerInTransaction(trx, answer.text)
  return answer
}

/** Runs a change and stores its answer in the same transaction. */
export const inTransactionStoringAnswer = (db: Db, work: (trx: Db) => Promise<RawJson>): Promise<RawJson> =>
  inTransaction(db, async (trx) => storeAnswerForRepeats(trx, await work(trx)))
