import type { LeadInput } from '../leads/leads.types.ts'
import type { ExistingLead } from './postbacks.queries.ts'
import type { PostbackParams, PostbackValues } from './postbacks.params.ts'

/** One postback, new or replayed. `receivedAt` is ISO 8601. */
export interface PostbackRequest {
  receivedAt: string
  params: PostbackParams
  /** True if the parameters come from the log. The log has no secrets; they were checked on receipt. */
  isReplay: boolean
}

/** The values of a postback that has the two required parameters. */
type IdentifiedValues = PostbackValues & { external_id: string; source_status: string }

/**
 * Builds the lead that the ingest takes. A value that the postback omits keeps its stored value. Without
 * `updated_at`, a postback that has no new data keeps the stored time; any other postback counts as of its receipt.
 */
export function buildLeadInput(
  values: IdentifiedValues,
  {
    existing,
    streamId,
    request,
    defaultCurrency,
  }: {
    existing: ExistingLead | undefined
    streamId: number | null
    request: PostbackRequest
    defaultCurrency: string
  },
): LeadInput & { updated_at: string } {
  const isDuplicate = existing !== undefined && hasNoNewData(values, existing, streamId)
  const subs = { ...(existing?.subs as Record<string, string> | undefined), ...values.subs }
  return {
    ...values,
    source_status: isDuplicate ? existing.source_status : values.source_status,
    payout: values.payout ?? String(existing?.payout ?? 0),
    currency: values.currency ?? existing?.currency ?? defaultCurrency,
    created_at: values.created_at ?? existing?.created_at ?? values.updated_at ?? request.receivedAt,
    updated_at: values.updated_at ?? (isDuplicate ? existing.updated_at : updateTimeOf(request, existing)),
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
function updateTimeOf({ receivedAt, isReplay }: PostbackRequest, existing: ExistingLead | undefined): string {
  if (existing === undefined || isReplay || Date.parse(existing.updated_at) < Date.parse(receivedAt))
    return receivedAt
  return existing.updated_at
}

/** Returns true if each value of the postback equals the stored value, or if none was stored. */
function hasNoNewData(values: IdentifiedValues, existing: ExistingLead, streamId: number | null): boolean {
  const isKnown = (value: unknown, stored: unknown) => value === null || stored === null || value === stored
  return (
    isSameStatus(values.source_status, existing.source_status) &&
    (values.payout === null || Number(values.payout) === existing.payout) &&
    isKnown(values.currency, existing.currency) &&
    isKnown(values.comment, existing.comment) &&
    isKnown(streamId, existing.stream_id) &&
    existing.has_same_created_at !== false &&
    Object.entries(values.subs).every(([name, value]) => isKnown(value, existing.subs?.[name] ?? null))
  )
}

/** Source statuses are equal in any letter case. */
export const isSameStatus = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
