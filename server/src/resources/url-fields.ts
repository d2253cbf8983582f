import { addressesIn } from '@karvon/contract/connectors/description.ts'
import type { FieldProblem } from '@karvon/contract/lib/problem.ts'
import { writable, type Resource } from '@karvon/contract/lib/resource.ts'
import type { Outgoing } from '../platform/outgoing-http/outgoing.ts'
import { invalid } from '../platform/http/errors.ts'

/**
 * Refuses addresses that Karvon must not call, in whatever URL fields a body names: for resources whose
 * addresses it does call. What a name leads to is judged again at each call. Errors: 422.
 */
export function checkUrls(
  outgoing: Outgoing,
  { fields }: Resource,
  body: Readonly<Record<string, unknown>>,
): void {
  const errors: FieldProblem[] = writable(fields).flatMap(([field, { kind, label }]) => {
    const url = body[field]
    const problem = kind === 'url' && typeof url === 'string' ? urlProblem(outgoing, url) : null
    return problem === null ? [] : [{ field, message: `${label} ${problem}` }]
  })
  if (errors.length > 0) throw invalid(errors)
}

/**
 * What is wrong with an address that may hold `{macros}`, as it follows a label, or null. Their values come from
 * outside, or are secrets: none of them decides where a call goes, or is looked up as a name.
 */
function urlProblem(outgoing: Outgoing, url: string): string | null {
  const host = URL.parse(url)?.host ?? ''
  return /[{}]/.test(host) ? 'must not hold a macro in its host' : outgoing.checkUrl(url)
}

/** What is wrong with the first bad address of a network's description, or of what overrides one; null where none is. */
export function addressProblem(
  outgoing: Outgoing,
  description: Readonly<Record<string, unknown>>,
): string | null {
  for (const [at, url] of addressesIn(description)) {
    const problem = urlProblem(outgoing, url)
    if (problem !== null) return `${at} ${problem}`
  }
  return null
}
