import { canRetryReferences } from '../../platform/database/pg-errors.ts'
import type { Db } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError, invalid } from '../../platform/http/errors.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { lockStatusesShared } from '../leads/leads.status-lock.queries.ts'
import type { LeadInput } from '../leads/leads.types.ts'
import { hasValidSecret, parseParams, type PostbackParams, type PostbackValues } from './postbacks.params.ts'
import {
  findLeadForUpdate,
  findStreamId,
  type ExistingLead,
  type PostbackSource,
} from './postbacks.queries.ts'
import {
  buildRefusal,
  describeResult,
  getResultReason,
  type IngestFacts,
  type PostbackResult,
} from './postbacks.result.ts'

/** One postback, new or replayed. `receivedAt` is ISO 8601. */
interface PostbackRequest {
  receivedAt: string
  params: PostbackParams
  /** True if the parameters come from the log. The log has no secrets; they were checked on receipt. */
  isReplay: boolean
}

/** Another transaction inserted the lead between our select and the ingest. */
class ConcurrentInsertError extends Error {}

/**
 * Runs `work`, which calls {@link processPostback} and stores the result, in one transaction. Repeats it after a
 * conflict with another transaction.
 */
export function inPostbackTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return inTransaction(db, work, {
    shouldRetry: (error) => error instanceof ConcurrentInsertError || canRetryReferences(error),
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
  const { values, problems, missingParams } = parseParams(request.params)
  if (!request.isReplay && !hasValidSecret(request.params, source.postback_key))
    return buildRefusal('bad_secret', new AppError('postback_secret_wrong'), values)
  if (!source.is_active) return buildRefusal('inactive_source', new AppError('source_switched_off'), values)
  const errors = [...problems, ...missingParams]
  const refuseValues = (reason: 'bad_value' | 'missing_value'): PostbackResult => ({
    ...buildRefusal(reason, invalid(errors), values),
    detail: errors.map(({ message }) => `${message}.`).join(' '),
  })
  const { external_id, source_status } = values
  if (problems.length > 0) return refuseValues('bad_value')
  if (external_id === null || source_status === null) return refuseValues('missing_value')

  await lockStatusesShared(trx)
  const earlierLead = await findLeadForUpdate(trx, {
    sourceId: source.id,
    externalId: external_id,
    createdAt: values.created_at,
  })
  const click = values.subs.click ?? null
  const clickStreamId = click === null ? null : await findStreamId(trx, source.id, click)
  const streamId = request.isReplay && earlierLead?.stream_id ? earlierLead.stream_id : clickStreamId
  // A currency without a payout says nothing about the money that is stored.
  const hasStoredMoney = values.payout === null && earlierLead !== undefined && earlierLead.payout !== 0
  const currency = hasStoredMoney ? null : values.currency
  const lead = buildLeadInput(
    { ...values, external_id, source_status, currency },
    { earlierLead, streamId, request, defaultCurrency },
  )
  const { imported, updated } = await ingestLeads(trx, {
    sourceId: source.id,
    leads: [lead],
    origin: 'postback',
  })
  if (earlierLead === undefined && imported === 0) throw new ConcurrentInsertError()
  const storedLead = await findLeadForUpdate(trx, { sourceId: source.id, externalId: external_id })
  if (storedLead === undefined) throw new Error('The ingest stored no lead')
  const facts: IngestFacts = {
    outcome: imported > 0 ? 'created' : updated > 0 ? 'updated' : 'unchanged',
    isOlder:
      !isSameStatus(storedLead.source_status, source_status) ||
      storedLead.payout !== Number(lead.payout) ||
      storedLead.currency !== lead.currency,
    unknownStream: clickStreamId === null ? click : null,
    unmappedStatus: storedLead.status_id === null ? storedLead.source_status : null,
  }
  return {
    outcome: facts.outcome,
    reason: getResultReason(facts),
    detail: describeResult(facts),
    lead_id: storedLead.id,
    external_id,
    source_status,
  }
}

/** The values of a postback that has the two required parameters. */
type IdentifiedValues = PostbackValues & { external_id: string; source_status: string }

/**
 * Builds the lead that the ingest takes. A value that the postback omits keeps its stored value. Without
 * `updated_at`, a postback that has no new data keeps the stored time; any other postback counts as of its receipt.
 */
function buildLeadInput(
  values: IdentifiedValues,
  {
    earlierLead,
    streamId,
    request,
    defaultCurrency,
  }: {
    earlierLead: ExistingLead | undefined
    streamId: number | null
    request: PostbackRequest
    defaultCurrency: string
  },
): LeadInput & { payout: string; updated_at: string } {
  const isDuplicate = earlierLead !== undefined && hasNoNewData(values, earlierLead, streamId)
  const subs = { ...(earlierLead?.subs as Record<string, string> | undefined), ...values.subs }
  return {
    ...values,
    source_status: isDuplicate ? earlierLead.source_status : values.source_status,
    payout: values.payout ?? String(earlierLead?.payout ?? 0),
    currency: values.currency ?? earlierLead?.currency ?? defaultCurrency,
    created_at: values.created_at ?? earlierLead?.created_at ?? values.updated_at ?? request.receivedAt,
    updated_at:
      values.updated_at ?? (isDuplicate ? earlierLead.updated_at : updateTimeOf(request, earlierLead)),
    stream: null,
    stream_extra_id: null,
    stream_id: streamId,
    subs: Object.keys(subs).length === 0 ? null : subs,
  }
}

/**
 * The update time of a postback that has none: the time of its receipt, but not before the stored time. Two
 * postbacks of the same moment can arrive in the wrong order; with equal times the ingest keeps the further state.
 */
function updateTimeOf(
  { receivedAt, isReplay }: PostbackRequest,
  earlierLead: ExistingLead | undefined,
): string {
  if (earlierLead === undefined || isReplay || Date.parse(earlierLead.updated_at) < Date.parse(receivedAt))
    return receivedAt
  return earlierLead.updated_at
}

/** Returns true if each value of the postback equals the stored value, or if none was stored. */
function hasNoNewData(values: IdentifiedValues, earlierLead: ExistingLead, streamId: number | null): boolean {
  const isKnown = (value: unknown, storedValue: unknown) =>
    value === null || storedValue === null || value === storedValue
  return (
    isSameStatus(values.source_status, earlierLead.source_status) &&
    (values.payout === null || Number(values.payout) === earlierLead.payout) &&
    isKnown(values.currency, earlierLead.currency) &&
    isKnown(values.comment, earlierLead.comment) &&
    isKnown(values.region, earlierLead.region) &&
    isKnown(values.cancel_reason, earlierLead.cancel_reason) &&
    isKnown(streamId, earlierLead.stream_id) &&
    earlierLead.has_same_created_at !== false &&
    Object.entries(values.subs).every(([name, value]) => isKnown(value, earlierLead.subs?.[name] ?? null))
  )
}

/** Source statuses are equal in any letter case. */
const isSameStatus = (first: string, second: string) => first.toLowerCase() === second.toLowerCase()
