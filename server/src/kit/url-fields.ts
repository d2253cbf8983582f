import type { FieldProblem } from '@karvon/contract/kit/problem.ts'
import { writable, type Resource } from '@karvon/contract/kit/resource.ts'
import type { Outgoing } from '../clients/outgoing.ts'
import { invalid } from './errors.ts'

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
    const problem = kind === 'url' && typeof url === 'string' ? outgoing.checkUrl(url) : null
    return problem === null ? [] : [{ field, message: `${label} ${problem}` }]
  })
  if (errors.length > 0) throw invalid(errors)
}
