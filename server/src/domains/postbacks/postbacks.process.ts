import { CompiledQuery, sql } from 'kysely'
import { audit } from '../../platform/audit/audit.ts'
import { canRetry } from '../../platform/database/pg-errors.ts'
import type { Db } from '../../platform/database/pool.ts'
import { inTransaction, storeAnswerForRepeats } from '../../platform/database/transaction.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { lockStatusesShared } from '../leads/leads.status-lock.ts'
import { buildLeadInput, findLeadForUpdate, isSameStatus, type PostbackRequest } from './postbacks.lead.ts'
import { hasValidSecret, parseParams } from './postbacks.params.ts'
import { postbackText } from './postbacks.queries.ts'
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

const maxAttempts = 5

/** Another transaction inserted the lead between our select and the ingest. */
class ConcurrentInsertError extends Error {}

/**
 * Runs `work`, which calls {@link processPostback} and stores the result, in one transaction. Repeats it after a
 * conflict with another transaction.
 */
export function inPostbackTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return inTransaction(
    db,
    work,
    maxAttempts,
    (error) => error instanceof ConcurrentInsertError || canRetry(error),
  )
}

/**
 * Checks one postback, ingests its lead and returns the result. An invalid postback is refused, not an error.
 * `defaultCurrency` is the currency of a new lead whose postback has none.
 * Call it first in the transaction, because it takes the status lock.
 */
export async function processPostback(
  trx: Db,
  defaultCurrency: string,
  source: PostbackSource,
  request: PostbackRequest,
): Promise<PostbackResult> {
  const { values, problems, missing } = parseParams(request.params)
  if (!request.isReplay && !hasValidSecret(request.params, source.postback_key))
    return buildRefusal('bad_secret', 'The secret is not the source’s key.', values)
  if (!source.is_active) return buildRefusal('inactive_source', 'The source is switched off.', values)
  const errors = [...problems, ...missing]
  const detail = errors.map(({ message }) => `${message}.`).join(' ')
  const { external_id, source_status } = values
  if (problems.length > 0) return buildRefusal('bad_value', detail, values, errors)
  if (external_id === null || source_status === null)
    return buildRefusal('missing_value', detail, values, errors)

  await lockStatusesShared(trx)
  const existing = await findLeadForUpdate(trx, source.id, external_id, values.created_at)
  const click = values.subs.click ?? null
  const clickStreamId = click === null ? null : await findStreamId(trx, source.id, click)
  const streamId = request.isReplay && existing?.stream_id ? existing.stream_id : clickStreamId
  const lead = buildLeadInput(
    { ...values, external_id, source_status },
    existing,
    streamId,
    request,
    defaultCurrency,
  )
  const { imported, updated } = await ingestLeads(trx, source.id, [lead], { origin: 'postback' })
  if (existing === undefined && imported === 0) throw new ConcurrentInsertError()
  const stored = await findLeadForUpdate(trx, source.id, external_id)
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

/** Finds a stream of the source by our id, else by the network's id, else by name; the oldest of several. */
async function findStreamId(trx: Db, sourceId: number, click: string): Promise<number | null> {
  const id = /^\d{1,15}$/.test(click) ? Number(click) : 0
  const { rows } = await sql<{ id: number }>`select id from streams
    where source_id = ${sourceId} and (id = ${id} or extra_id = ${click} or name = ${click})
    order by id = ${id} desc, extra_id = ${click} desc nulls last, id limit 1`.execute(trx)
  return rows[0]?.id ?? null
}

// A replay cannot succeed for these: the log has no secrets, and not all parts of an unreadable request.
const finalReasons: readonly (string | null)[] = ['bad_secret', 'bad_value', 'malformed']

/**
 * Processes a logged postback again as of its receipt, stores the new result in its row and returns the row.
 * Errors: 404; 409 if a replay cannot change the result, or if the source is deleted or inactive.
 */
export function reprocessPostback(
  db: Db,
  defaultCurrency: string,
  id: number,
  person: Identity,
): Promise<RawJson> {
  return inPostbackTransaction(db, async (trx) => {
    const row = await trx
      .selectFrom('postbacks')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) throw notFound('postback')
    if (finalReasons.includes(row.reason))
      throw new AppError('conflict', `It stays refused: ${row.detail ?? ''}`)
    const source = await trx
      .selectFrom('cpa_sources')
      .select(['id', 'is_active', 'postback_key'])
      .where('id', '=', row.source_id)
      .executeTakeFirst()
    if (source === undefined) throw new AppError('conflict', 'Its source is there no more.')
    const request = { receivedAt: row.at, params: new Map(Object.entries(row.params)), isReplay: true }
    const { errors: _, ...result } = await processPostback(trx, defaultCurrency, source, request)
    const { outcome, reason, detail, lead_id } = result
    // An accepted postback stays accepted.
    if (outcome === 'refused' && row.outcome !== 'refused') throw new AppError('conflict', detail)
    await trx
      .updateTable('postbacks')
      .set({ ...result, replayed_at: sql`now()` })
      .where('id', '=', id)
      .execute()
    const before = { outcome: row.outcome, reason: row.reason, lead_id: row.lead_id }
    await audit(trx, {
      person,
      action: 'replay',
      resource: 'postbacks',
      rowId: id,
      before,
      after: { outcome, reason, lead_id },
    })
    const updated = await trx.executeQuery<{ row: string }>(CompiledQuery.raw(postbackText, [id]))
    return storeAnswerForRepeats(trx, new RawJson(updated.rows[0]?.row ?? ''))
  })
}
