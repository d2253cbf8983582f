import { listUrls } from '@karvon/contract/connectors/description.ts'
import { labelledError, valueFault, type ValueFault } from '@karvon/contract/lib/field-messages.ts'
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
    const fault = kind === 'url' && typeof url === 'string' ? findUrlFault(outgoing, url) : null
    return fault === null ? [] : [labelledError(field, label, fault)]
  })
  if (errors.length > 0) throw invalid(errors)
}

/**
 * What is wrong with a URL that may have `{macros}`, or null. The values of macros come from outside or are secrets,
 * so they must not decide the host.
 */
function findUrlFault(outgoing: Outgoing, url: string): ValueFault | null {
  const host = URL.parse(url)?.host ?? ''
  return /[{}]/.test(host) ? valueFault('url_host_macro') : outgoing.checkUrl(url)
}

/** Refuses forbidden URLs in a connector's description, or in a mapping that overrides one. Errors: 422. */
export function refuseForbiddenDescriptionUrls(
  outgoing: Outgoing,
  { field, label }: { field: string; label: string },
  description: Readonly<Record<string, unknown>>,
): void {
  for (const [path, url] of listUrls(description)) {
    const fault = findUrlFault(outgoing, url)
    if (fault !== null) throw invalid([labelledError(field, `${label}: ${path}`, fault)])
  }
}
