import { maxPeriodDays } from '@karvon/contract/lib/limits.ts'
import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import type { FieldProblem } from '@karvon/contract/lib/problem.ts'
import { invalid } from './errors.ts'

const periodFields = [
  ['start_date', 'end_date'],
  ['date_from', 'date_to'],
] as const
const msPerDay = 86_400_000

/** The problem of a validated query whose period is longer than the limit, or null. */
export function findPeriodProblem(query: unknown): FieldProblem | null {
  const days = query as Record<string, unknown>
  for (const [from, to] of periodFields) {
    if (typeof days[from] !== 'string' || typeof days[to] !== 'string') continue
    const length = (Date.parse(days[to]) - Date.parse(days[from])) / msPerDay + 1
    if (length > maxPeriodDays) return fieldError(to, 'period_too_long', { from, to, days: maxPeriodDays })
  }
  return null
}

/** Inclusive days. */
interface Period {
  start_date?: string | undefined
  end_date?: string | undefined
}

/** Throws a 422 for a period that ends before it starts. */
export function checkPeriodOrder({ start_date, end_date }: Period): void {
  if (start_date !== undefined && end_date !== undefined && start_date > end_date)
    throw invalid([fieldError('start_date', 'period_reversed', { from: 'start_date', to: 'end_date' })])
}
