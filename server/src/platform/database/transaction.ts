import type { Db } from './pool.ts'
import { currentKey } from '../http/idempotency.ts'
import { canRetry } from './pg-errors.ts'
import type { RawJson } from '../http/raw-json.ts'

/**
 * Runs `work` in one transaction, again where another transaction made it fail (deadlock, serialisation), up to
 * `attempts` times in all. `work` must use only the transaction it is given, and leave nothing behind outside it.
 * The first transaction of a request that came with an Idempotency-Key holds that key.
 */
export async function inTransaction<T>(
  db: Db,
  work: (trx: Db) => Promise<T>,
  attempts = 2,
  retries: (error: unknown) => boolean = canRetry,
): Promise<T> {
  const key = currentKey()
  for (let attempt = 1; ; attempt++) {
    try {
      const made = await db.transaction().execute(async (trx) => {
        await key?.claim(trx)
        return work(trx)
      })
      key?.committed()
      return made
    } catch (error) {
      if (attempt >= attempts || !retries(error)) throw error
    }
  }
}

/** Keeps an answer for repeats of the request within the transaction that it tells of. */
export async function keepAnswer(trx: Db, answer: RawJson): Promise<RawJson> {
  await currentKey()?.keep(trx, answer.text)
  return answer
}

/** A change whose answer is known within its transaction, and is kept in it. */
export const answerTransaction = (db: Db, work: (trx: Db) => Promise<RawJson>): Promise<RawJson> =>
  inTransaction(db, async (trx) => keepAnswer(trx, await work(trx)))
