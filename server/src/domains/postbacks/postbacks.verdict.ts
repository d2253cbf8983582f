import type { FieldProblem, ProblemCode } from '@karvon/contract/lib/problem.ts'
import type { PostbackOutcome, PostbackReason } from '@karvon/contract/postbacks/postbacks.ts'

/** What became of a hit, for the network's answer and for the log alike. */
export interface Verdict {
  outcome: PostbackOutcome
  reason: PostbackReason | null
  detail: string
  lead_id: number | null
  external_id: string | null
  word: string | null
  /** Of a refusal: the parameters at fault. */
  errors?: FieldProblem[]
}

const codes = {
  missing_value: 'invalid',
  bad_value: 'invalid',
  bad_secret: 'forbidden',
  inactive_source: 'conflict',
  malformed: 'malformed',
} as const satisfies Partial<Record<PostbackReason, ProblemCode>>
export type RefusalReason = keyof typeof codes

/** The error code that a refusal travels with. */
export const codeOf = (reason: PostbackReason | null): ProblemCode =>
  Object.entries(codes).find(([each]) => each === reason)?.[1] ?? 'invalid'

/** A hit that leaves no lead behind; `told` is what could be read of it. */
export const refused = (
  reason: RefusalReason,
  detail: string,
  told: { external_id: string | null; word: string | null } = { external_id: null, word: null },
  errors?: FieldProblem[],
): Verdict => ({
  outcome: 'refused',
  reason,
  detail,
  lead_id: null,
  external_id: told.external_id,
  word: told.word,
  ...(errors && { errors }),
})

/** What a hit that was taken met: what it did, and whether its state, its stream and its word are known. */
export interface Met {
  did: Exclude<PostbackOutcome, 'refused'>
  older: boolean
  /** The click value that is no stream of ours. */
  unknownStream: string | null
  unmappedWord: string | null
}

export function reasonOf({ did, older, unknownStream, unmappedWord }: Met): PostbackReason | null {
  if (unknownStream !== null) return 'unknown_stream'
  if (unmappedWord !== null) return 'unmapped_word'
  if (older) return 'older_state'
  return did === 'unchanged' ? 'duplicate' : null
}

export function detailOf({ did, older, unknownStream, unmappedWord }: Met): string {
  const sentences = [outcomeText(did, older)]
  if (unknownStream !== null) sentences.push(`No stream of this source has the id or name ${unknownStream}.`)
  if (unmappedWord !== null) sentences.push(`The word ${unmappedWord} is mapped to no status yet.`)
  return sentences.join(' ')
}

function outcomeText(did: Met['did'], older: boolean): string {
  if (did === 'created') return 'A new lead.'
  if (did === 'updated')
    return older ? 'A newer state is known; what was missing is filled in.' : 'The lead is changed.'
  return older ? 'A newer state is known: nothing changed.' : 'Already known: nothing changed.'
}
