import { maxPeriodDays } from '@karvon/contract/lib/limits.ts'
import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import type { FieldProblem } from '@karvon/contract/lib/problem.ts'
import { invalid } from './errors.ts'

const periodFields = [
  ['start_date', 'end_date'],
  ['date_from', 'date_to'],
] as const
const msPerDay = 86_400_000

/** The problem of a validated query or body whose period ends before it starts or is longer than the limit, or null. */
export function findPeriodProblem(values: unknown, maxDays = maxPeriodDays): FieldProblem | null {
  const days = values as Record<string, unknown>
  for (const [from, to] of periodFields) {
    if (typeof days[from] !== 'string' || typeof days[to] !== 'string') continue
    if (days[from] > days[to]) return fieldError(from, 'period_reversed', { from, to })
    const length = (Date.parse(days[to]) - Date.parse(days[from])) / msPerDay + 1
    if (length > maxDays) return fieldError(to, 'period_too_long', { from, to, days: maxDays })
  }
  return null
}

/** Throws a 422 for the period of a body that ends before it starts. The days are inclusive. */
export function checkPeriodOrder({ start_date, end_date }: { start_date: string; end_date: string }): void {
  if (start_date > end_date)
    throw invalid([fieldError('start_date', 'period_reversed', { from: 'start_date', to: 'end_date' })])
}
