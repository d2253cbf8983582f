import { audit } from '../../platform/audit/audit.ts'
import { canRetry } from '../../platform/database/pg-errors.ts'
import type { Db } from '../../platform/database/pool.ts'
import { inTransaction, storeAnswerForRepeats } from '../../platform/database/transaction.ts'
import { AppError, invalid, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { lockStatusesShared } from '../leads/leads.status-lock.queries.ts'
import { buildLeadInput, isSameStatus, type PostbackRequest } from './postbacks.lead.ts'
import { hasValidSecret, parseParams } from './postbacks.params.ts'
import {
  findLeadForUpdate,
  findPostbackForUpdate,
  findPostbackSource,
  findStreamId,
  readPostback,
  updateReplayedPostback,
} from './postbacks.queries.ts'
import {
  buildRefusal,
  resultDetail,
  resultReason,
  type IngestFacts,
  type PostbackResult,
} from './postbacks.result.ts'

export interface PostbackSource {
  id: number
  is_active: boolean
  postback_key: string
}

/** Another transaction inserted the lead between our select and the ingest. */
class ConcurrentInsertError extends Error {}

/**
 * Runs `work`, which calls {@link processPostback} and stores the result, in one transaction. Repeats it after a
 * conflict with another transaction.
 */
export function inPostbackTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return inTransaction(db, work, {
    shouldRetry: (error) => error instanceof ConcurrentInsertError || canRetry(error),
  })
}

/**
 * Checks one postback, ingests its lead and returns the result. An invalid postback is refused, not an error.
 * `defaultCurrency` is the currency of a new lead whose postback has none.
 * Call it first in the transaction, because it takes the status lock.
 */
export async function processPostback(
  trx: Db,
  {
    defaultCurrency,
    source,
    request,
  }: { defaultCurrency: string; source: PostbackSource; request: PostbackRequest },
): Promise<PostbackResult> {
  const { values, problems, missing } = parseParams(request.params)
  if (!request.isReplay && !hasValidSecret(request.params, source.postback_key))
    return buildRefusal('bad_secret', new AppError('postback_secret_wrong'), values)
  if (!source.is_active) return buildRefusal('inactive_source', new AppError('source_switched_off'), values)
  const errors = [...problems, ...missing]
  const refuseValues = (reason: 'bad_value' | 'missing_value'): PostbackResult => ({
    ...buildRefusal(reason, invalid(errors), values),
    detail: errors.map(({ message }) => `${message}.`).join(' '),
  })
  const { external_id, source_status } = values
  if (problems.length > 0) return refuseValues('bad_value')
  if (external_id === null || source_status === null) return refuseValues('missing_value')

  await lockStatusesShared(trx)
  const existing = await findLeadForUpdate(trx, {
    sourceId: source.id,
    externalId: external_id,
    createdAt: values.created_at,
  })
  const click = values.subs.click ?? null
  const clickStreamId = click === null ? null : await findStreamId(trx, source.id, click)
  const streamId = request.isReplay && existing?.stream_id ? existing.stream_id : clickStreamId
  const lead = buildLeadInput(
    { ...values, external_id, source_status },
    { existing, streamId, request, defaultCurrency },
  )
  const { imported, updated } = await ingestLeads(trx, {
    sourceId: source.id,
    leads: [lead],
    origin: 'postback',
  })
  if (existing === undefined && imported === 0) throw new ConcurrentInsertError()
  const stored = await findLeadForUpdate(trx, { sourceId: source.id, externalId: external_id })
  if (stored === undefined) throw new Error('The ingest stored no lead')
  const facts: IngestFacts = {
    outcome: imported > 0 ? 'created' : updated > 0 ? 'updated' : 'unchanged',
    isOlder: !isSameStatus(stored.source_status, source_status) || stored.payout !== Number(lead.payout),
    unknownStream: clickStreamId === null ? click : null,
    unmappedStatus: stored.status_id === null ? stored.source_status : null,
  }
  return {
    outcome: facts.outcome,
    reason: resultReason(facts),
    detail: resultDetail(facts),
    lead_id: stored.id,
    external_id,
    source_status,
  }
}

// A replay cannot succeed for these: the log has no secrets, and not all parts of an unreadable request.
const finalReasons: readonly (string | null)[] = ['bad_secret', 'bad_value', 'malformed']

/**
 * Processes a logged postback again as of its receipt, stores the new result in its row and returns the row.
 * Errors: 404; 409 if a replay cannot change the result, or if the source is deleted or inactive.
 */
export function reprocessPostback(
  db: Db,
  { defaultCurrency, id, person }: { defaultCurrency: string; id: number; person: Identity },
): Promise<RawJson> {
  return inPostbackTransaction(db, async (trx) => {
    const row = await findPostbackForUpdate(trx, id)
    if (row === undefined) throw notFound('postback')
    if (finalReasons.includes(row.reason))
      throw new AppError('postback_stays_refused', { detail: row.detail ?? '' })
    const source = await findPostbackSource(trx, row.source_id)
    if (source === undefined) throw new AppError('postback_source_deleted')
    const request = { receivedAt: row.at, params: new Map(Object.entries(row.params)), isReplay: true }
    const { error: _, ...result } = await processPostback(trx, { defaultCurrency, source, request })
    const { outcome, reason, detail, lead_id } = result
    // An accepted postback stays accepted.
    if (outcome === 'refused' && row.outcome !== 'refused') throw new AppError('replay_refused', { detail })
    await updateReplayedPostback(trx, id, result)
    const before = { outcome: row.outcome, reason: row.reason, lead_id: row.lead_id }
    await audit(trx, {
      person,
      action: 'replay',
      resource: 'postbacks',
      rowId: id,
      before,
      after: { outcome, reason, lead_id },
    })
    return storeAnswerForRepeats(trx, new RawJson(await readPostback(trx, id)))
  })
}
