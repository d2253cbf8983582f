import type { Db } from '../../platform/database/pool.ts'
import { insertNew, mergeKnown, seen } from './leads.intake.queries.ts'
import type { LeadOrigin, LeadTold, LeadsTaken } from './leads.lead.ts'
import { resolveNames } from './leads.names.ts'
import { leadTransaction } from './leads.transaction.ts'

/** Rows of one batch that measured best; each batch of an import is its own transaction. */
export const leadBatch = 1000

/**
 * The one way by which leads come in, whoever tells of them. Given a transaction it works inside it; given
 * the database it opens its own and, should it fall victim to a deadlock, runs it once more.
 *
 * - A lead is unique by source and external id; repeating any input changes nothing.
 * - The source's update time decides: what is older than what we have changes nothing. At the same time the
 *   further state wins (hold, accepted, recall, sent, rejected, sold, returned; an unmapped word is the
 *   least), then the larger word, payout, currency, creation time and comment: a total order, so that any
 *   order of arrival ends in the same state. Leads that repeat within a batch are folded by the same rule.
 * - What a lead does not tell (offer, stream, comment, subs) stays as it was known.
 * - The word is resolved to a status by the source's statuses; one that is not mapped has none.
 * - A state that an admin or a parcel said ({@link restate}) stands until the source tells a newer word.
 * - History is written for real changes of word, status or payout alone, and with it go postbacks to trackers.
 *
 * Batches lock their rows in the order of the external ids, so that several can come in at once.
 */
export async function takeIn(
  db: Db,
  sourceId: number,
  batch: readonly LeadTold[],
  from: LeadOrigin,
): Promise<LeadsTaken> {
  if (batch.length === 0) return { imported: 0, updated: 0, unchanged: 0 }
  return leadTransaction(db, (trx) => takeBatch(trx, sourceId, batch, from))
}

async function takeBatch(
  trx: Db,
  sourceId: number,
  batch: readonly LeadTold[],
  from: LeadOrigin,
): Promise<LeadsTaken> {
  const names = await resolveNames(trx, sourceId, batch)
  const arriving = batch.map((lead) => ({
    ...lead,
    offer_id: names.offer({ name: lead.offer, extra: lead.offer_extra_id }),
    stream_id: lead.stream_id ?? names.stream({ name: lead.stream, extra: lead.stream_extra_id }),
  }))
  const there = await seen(trx, sourceId, arriving)
  const fresh = arriving.filter((lead) => !there.has(lead.external_id))
  const inserted = await insertNew(trx, sourceId, fresh, from)
  const known = arriving.filter((lead) => !inserted.has(lead.external_id))
  const updated = await mergeKnown(trx, sourceId, known, from)
  return { imported: inserted.size, updated, unchanged: batch.length - inserted.size - updated }
}
