import type { Db } from '../../platform/database/pool.ts'
import { insertLeads, mergeLeads, findExistingLeads } from './leads.ingest.queries.ts'
import type { LeadBatch } from './leads.types.ts'
import { resolveReferences } from './leads.references.queries.ts'
import { canRetryReferences } from '../../platform/database/pg-errors.ts'
import { joinTransaction } from '../../platform/database/transaction.ts'
import type { IngestResult } from '../../platform/spreadsheets/spreadsheets.progress.ts'

/** Rows of one batch: the fastest size in benchmarks. Each batch of an import is one transaction. */
export const ingestBatchSize = 1000

/**
 * Writes leads that a network, a file or a postback reports. All leads come in through this function. Given a
 * transaction, it works inside it. Given the database, it opens a transaction and repeats it ({@link canRetryReferences}).
 *
 * - A lead is unique by source and external id. Repeating any input changes nothing.
 * - The update time of the source decides: an older state changes nothing. With equal times the further state applies
 *   (hold, accepted, recall, send, cancel, sold, returned; an unmapped status is the least), then the larger value of the
 *   next column (`listStateOrder`). This is a total order, so any order of arrival gives the same result. Repeated leads
 *   within a batch are merged by the same rule.
 * - A value that the input omits (offer, stream, comment, subs, region, cancel reason, payout with its currency) keeps its
 *   stored value. A new lead without a payout has 0.
 * - The mapping of the source gives the status; an unmapped source status has none.
 * - A status override (`overrideLeadStatus`) stays until the source reports another source status.
 * - Only a change of the source status, the status, the payout or its currency goes into the history and to the trackers.
 *
 * Batches lock their rows in the order of the external ids, so several can run at the same time. Repeated ids within a
 * batch count as unchanged.
 */
export async function ingestLeads(db: Db, batch: LeadBatch): Promise<IngestResult> {
  if (batch.leads.length === 0) return { imported: 0, updated: 0, unchanged: 0 }
  return joinTransaction(db, (trx) => ingestBatch(trx, batch), { shouldRetry: canRetryReferences })
}

async function ingestBatch(
  trx: Db,
  { sourceId, leads, streamOwnerId, ...origin }: LeadBatch,
): Promise<IngestResult> {
  const references = await resolveReferences(trx, sourceId, { leads, streamOwnerId })
  const resolvedLeads = leads.map((lead) => ({
    ...lead,
    offer_id: references.findOfferId({ name: lead.offer, extraId: lead.offer_extra_id }),
    stream_id:
      lead.stream_id ?? references.findStreamId({ name: lead.stream, extraId: lead.stream_extra_id }),
  }))
  const existingIds = await findExistingLeads(trx, sourceId, resolvedLeads)
  const newLeads = resolvedLeads.filter((lead) => !existingIds.has(lead.external_id))
  const insertedIds = await insertLeads(trx, { sourceId, leads: newLeads, origin })
  const knownLeads = resolvedLeads.filter((lead) => !insertedIds.has(lead.external_id))
  const updatedCount = await mergeLeads(trx, { sourceId, leads: knownLeads, origin })
  return {
    imported: insertedIds.size,
    updated: updatedCount,
    unchanged: leads.length - insertedIds.size - updatedCount,
  }
}
