import { listUrls } from '@karvon/contract/connectors/description.ts'
import type { FieldProblem } from '@karvon/contract/lib/problem.ts'
import { getWritableFields, type Resource } from '@karvon/contract/lib/resource.ts'
import type { Outgoing } from '../platform/outgoing-http/outgoing.ts'
import { invalid } from '../platform/http/errors.ts'

/**
 * Refuses forbidden URLs in the URL fields of a body. For resources whose URLs Karvon calls. The addresses of a host
 * name are checked again at each call. Errors: 422.
 */
export function refuseForbiddenUrls(
  outgoing: Outgoing,
  { fields }: Resource,
  body: Readonly<Record<string, unknown>>,
): void {
  const errors: FieldProblem[] = getWritableFields(fields).flatMap(([field, { kind, label }]) => {
    const url = body[field]
    const problem = kind === 'url' && typeof url === 'string' ? findUrlProblem(outgoing, url) : null
    return problem === null ? [] : [{ field, message: `${label} ${problem}` }]
  })
  if (errors.length > 0) throw invalid(errors)
}

/**
 * The problem of a URL that may have `{macros}`, as text after a label, or null. The values of macros come from
 * outside or are secrets, so they must not decide the host.
 */
function findUrlProblem(outgoing: Outgoing, url: string): string | null {
  const host = URL.parse(url)?.host ?? ''
  return /[{}]/.test(host) ? 'must not hold a macro in its host' : outgoing.checkUrl(url)
}

/**
 * The first problem in the URLs of a connector's description, or of a mapping that overrides one; null when there is
 * none.
 */
export function findDescriptionUrlProblem(
  outgoing: Outgoing,
  description: Readonly<Record<string, unknown>>,
): string | null {
  for (const [at, url] of listUrls(description)) {
    const problem = findUrlProblem(outgoing, url)
    if (problem !== null) return `${at} ${problem}`
  }
  return null
}
