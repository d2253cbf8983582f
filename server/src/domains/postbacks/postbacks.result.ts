import type { PostbackOutcome, PostbackReason } from '@karvon/contract/postbacks/postbacks.ts'
import type { AppError } from '../../platform/http/errors.ts'

/** The result of one postback, for the response to the network and for the log. */
export interface PostbackResult {
  outcome: PostbackOutcome
  reason: PostbackReason | null
  detail: string
  lead_id: number | null
  external_id: string | null
  source_status: string | null
  /** The error of a refused postback. */
  error?: AppError
}

type RefusalReason = Extract<
  PostbackReason,
  'missing_value' | 'bad_value' | 'bad_secret' | 'inactive_source' | 'malformed'
>

/** The result of a postback that changes no lead; `values` are the parameters that could be read. */
export const buildRefusal = (
  reason: RefusalReason,
  error: AppError,
  values: Pick<PostbackResult, 'external_id' | 'source_status'> = { external_id: null, source_status: null },
): PostbackResult => ({
  outcome: 'refused',
  reason,
  detail: error.message,
  lead_id: null,
  external_id: values.external_id,
  source_status: values.source_status,
  error,
})

/** What the ingest of an accepted postback found out. */
export interface IngestFacts {
  outcome: Exclude<PostbackOutcome, 'refused'>
  /** The stored state is newer than that of the postback. */
  isOlder: boolean
  /** The value of `click` that matches no stream of the source. */
  unknownStream: string | null
  unmappedStatus: string | null
}

export function getResultReason({
  outcome,
  isOlder,
  unknownStream,
  unmappedStatus,
}: IngestFacts): PostbackReason | null {
  if (unknownStream !== null) return 'unknown_stream'
  if (unmappedStatus !== null) return 'unmapped_status'
  if (isOlder) return 'older_state'
  return outcome === 'unchanged' ? 'duplicate' : null
}

export function describeResult({ outcome, isOlder, unknownStream, unmappedStatus }: IngestFacts): string {
  const sentences = [describeOutcome(outcome, isOlder)]
  if (unknownStream !== null) sentences.push(`No stream of this source has the id or name ${unknownStream}.`)
  if (unmappedStatus !== null)
    sentences.push(`The source status ${unmappedStatus} is not mapped to a status yet.`)
  return sentences.join(' ')
}

function describeOutcome(outcome: IngestFacts['outcome'], isOlder: boolean): string {
  if (outcome === 'created') return 'A new lead.'
  if (outcome === 'updated')
    return isOlder ? 'A newer state is known; what was missing is filled in.' : 'The lead is changed.'
  return isOlder ? 'A newer state is known: nothing changed.' : 'Already known: nothing changed.'
}
