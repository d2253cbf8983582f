import type { Db } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import {
  findQueuedLeads,
  postLeads,
  readOldestPosting,
  removePosting,
  storePostingProgress,
} from './ledger.leads.queries.ts'

const batchSize = 1000
const maxAttempts = 5

/**
 * Posts the leads of the queue: those of a status whose type changed, those of a stream that has another owner, and
 * once all leads that are older than the ledger. Each batch is a transaction; after a kill it continues. Returns the
 * number of new entries.
 */
export async function postQueuedLeads(db: Db, signal: AbortSignal): Promise<number> {
  let posted = 0
  while (!signal.aborted) {
    const count = await inTransaction(db, postNextBatch, { attempts: maxAttempts })
    if (count === null) return posted
    posted += count
  }
  return posted
}

/** Null when the queue is empty. */
async function postNextBatch(trx: Db): Promise<number | null> {
  const posting = await readOldestPosting(trx)
  if (posting === undefined) return null
  const leads = await findQueuedLeads(trx, posting, batchSize)
  const last = leads.at(-1)
  if (last === undefined || leads.length < batchSize) await removePosting(trx, posting.id)
  else await storePostingProgress(trx, posting.id, last)
  return postLeads(
    trx,
    leads.map(({ id }) => id),
  )
}
