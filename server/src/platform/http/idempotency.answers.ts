import type { Db } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { getIdempotentRequest } from './idempotency.ts'
import type { RawJson } from './raw-json.ts'

/** Stores the answer for repeats of the request, in the transaction of the change. */
export async function storeAnswerForRepeats(trx: Db, answer: RawJson): Promise<RawJson> {
  await getIdempotentRequest()?.storeAnswerInTransaction(trx, answer.text)
  return answer
}

/** Runs a change and stores its answer in the same transaction. */
export const inTransactionStoringAnswer = (db: Db, work: (trx: Db) => Promise<RawJson>): Promise<RawJson> =>
  inTransaction(db, async (trx) => storeAnswerForRepeats(trx, await work(trx)))
