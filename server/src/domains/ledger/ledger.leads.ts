import type { Db } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { waitForWriters } from '../leads/leads.writers.ts'
import {
  findQueuedLeads,
  postLeads,
  readOldestPosting,
  removePosting,
  storePostingProgress,
  type QueuedPosting,
} from './ledger.leads.queries.ts'

/** Applies what the owner of a stream decides to some leads of it, in the transaction that posts them. */
export type OwnerUpdate = (trx: Db, leadIds: readonly number[]) => Promise<unknown>

interface PostingOptions {
  batchSize?: number
  applyOwner?: OwnerUpdate
}

/**
 * Posts the leads of the queue: those of a status whose type changed, those of a stream that has another owner, and
 * once all leads that are older than the ledger. Each batch is a transaction; after a kill it continues. Returns the
 * number of new entries.
 *
 * A writer of leads that began before a stream got another owner posts for the old one, and its leads are not visible
 * yet. So the job waits for the writers that are active when it begins with a change. Later writers see the row of the
 * queue, and post the leads that they move behind the cursor.
 */
export async function postQueuedLeads(
  db: Db,
  signal: AbortSignal,
  options: PostingOptions = {},
): Promise<number> {
  let postedCount = 0
  while (!signal.aborted) {
    const posting = await readOldestPosting(db)
    if (posting === undefined) return postedCount
    if (posting.next_id === 0) await waitForWriters(db, signal)
    postedCount += await inTransaction(db, (trx) => postNextBatch(trx, posting, options))
  }
  return postedCount
}

async function postNextBatch(
  trx: Db,
  posting: QueuedPosting,
  { batchSize = 1000, applyOwner }: PostingOptions,
): Promise<number> {
  const leads = await findQueuedLeads(trx, posting, batchSize)
  const last = leads.at(-1)
  if (last === undefined || leads.length < batchSize) await removePosting(trx, posting.id)
  else await storePostingProgress(trx, posting.id, last)
  const ids = leads.map(({ id }) => id)
  if (posting.stream_id !== null) await applyOwner?.(trx, ids)
  return postLeads(trx, ids)
}
