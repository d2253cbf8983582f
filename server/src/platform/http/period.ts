import { maxPeriodDays } from '@karvon/contract/lib/limits.ts'
import type { FieldProblem } from '@karvon/contract/lib/problem.ts'

const pairs = [
  ['start_date', 'end_date'],
  ['date_from', 'date_to'],
] as const
const msADay = 86_400_000

/** What is wrong with the period of a checked query: that it is longer than any that is asked about. */
export function periodProblem(query: unknown): FieldProblem | null {
  const days = query as Record<string, unknown>
  for (const [from, to] of pairs) {
    if (typeof days[from] !== 'string' || typeof days[to] !== 'string') continue
    const length = (Date.parse(days[to]) - Date.parse(days[from])) / msADay + 1
    if (length > maxPeriodDays)
      return { field: to, message: `${from} and ${to} lie more than ${maxPeriodDays} days apart` }
  }
  return null
}
