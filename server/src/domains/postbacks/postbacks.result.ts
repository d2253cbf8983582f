import type { FieldProblem, ProblemCode } from '@karvon/contract/lib/problem.ts'
import type { PostbackOutcome, PostbackReason } from '@karvon/contract/postbacks/postbacks.ts'

/** The result of one postback, for the response to the network and for the log. */
export interface PostbackResult {
  outcome: PostbackOutcome
  reason: PostbackReason | null
  detail: string
  lead_id: number | null
  external_id: string | null
  source_status: string | null
  /** The invalid or missing parameters of a refused postback. */
  errors?: FieldProblem[]
}

const refusalCodes = {
  missing_value: 'invalid',
  bad_value: 'invalid',
  bad_secret: 'forbidden',
  inactive_source: 'conflict',
  malformed: 'malformed',
} as const satisfies Partial<Record<PostbackReason, ProblemCode>>
type RefusalReason = keyof typeof refusalCodes

/** The error code in the response to a refused postback. */
export const problemCodeOf = (reason: PostbackReason | null): ProblemCode =>
  Object.entries(refusalCodes).find(([each]) => each === reason)?.[1] ?? 'invalid'

/** The result of a postback that changes no lead; `values` are the parameters that could be read. */
export const buildRefusal = (
  reason: RefusalReason,
  detail: string,
  values: Pick<PostbackResult, 'external_id' | 'source_status'> = { external_id: null, source_status: null },
  errors?: FieldProblem[],
): PostbackResult => ({
  outcome: 'refused',
  reason,
  detail,
  lead_id: null,
  external_id: values.external_id,
  source_status: values.source_status,
  ...(errors && { errors }),
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

export function resultReason({
  outcome,
  isOlder,
  unknownStream,
  unmappedStatus,
}: IngestFacts): PostbackReason | null {
  if (unknownStream !== null) return 'unknown_stream'
  if (unmappedStatus !== null) return 'unmapped_word'
  if (isOlder) return 'older_state'
  return outcome === 'unchanged' ? 'duplicate' : null
}

export function resultDetail({ outcome, isOlder, unknownStream, unmappedStatus }: IngestFacts): string {
  const sentences = [describeOutcome(outcome, isOlder)]
  if (unknownStream !== null) sentences.push(`No stream of this source has the id or name ${unknownStream}.`)
  if (unmappedStatus !== null) sentences.push(`The word ${unmappedStatus} is mapped to no status yet.`)
  return sentences.join(' ')
}

function describeOutcome(outcome: IngestFacts['outcome'], isOlder: boolean): string {
  if (outcome === 'created') return 'A new lead.'
  if (outcome === 'updated')
    return isOlder ? 'A newer state is known; what was missing is filled in.' : 'The lead is changed.'
  return isOlder ? 'A newer state is known: nothing changed.' : 'Already known: nothing changed.'
}
