import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { SumFigure } from '@karvon/contract/lib/report-ratios.ts'
import type { PeriodShift } from '@karvon/contract/explore/explore.periods.ts'
import type { LeadFilterName, LeadFilters } from '../rollups/rollups.lead-filters.queries.ts'
import type { Viewer } from '../../platform/http/guard.ts'

/**
 * Days as yyyy-mm-dd, both inclusive. An undefined day leaves that side open. The compared period has the `shift` that moves
 * its days to those of the question, and the first of these days.
 */
export interface QuestionPeriod {
  readonly start: string | undefined
  readonly end: string | undefined
  readonly shift: PeriodShift | null
  readonly firstDay: string | undefined
}

/**
 * A validated question. `periods` are the days that are asked for and, if they are compared, the compared days. The days of
 * filters by day, week and month are in them. `figures` are the sums that the answer needs; `leads` is the first one. With
 * `looksUpTypes`, the types of statuses decide what a lead adds to them, and rollups of report columns are not read.
 */
export interface Question {
  readonly dimensions: readonly DimensionName[]
  readonly figures: readonly SumFigure[]
  readonly periods: readonly QuestionPeriod[]
  readonly filters: LeadFilters
  readonly viewer: Viewer | null
  readonly looksUpTypes: boolean
}

/** The dimensions that rollups answer in any pair. */
export const rollupDimensions: ReadonlySet<DimensionName> = new Set([
  'day',
  'week',
  'month',
  'weekday',
  'source',
  'offer',
  'stream',
  'buyer',
])

/** The dimensions that a question reads: those of its groups and filters, and the status if types are looked up. */
export const listUsedDimensions = ({ dimensions, filters, looksUpTypes }: Question): DimensionName[] => [
  ...dimensions,
  ...(Object.keys(filters) as LeadFilterName[]),
  ...(looksUpTypes ? ['status' as const] : []),
]

const statusDimensions: ReadonlySet<DimensionName> = new Set([
  'day',
  'week',
  'month',
  'weekday',
  'source',
  'status',
])

/**
 * Whether rollups have all that the question asks for. If not, it reads segments or leads. Statuses have rollups by day and source,
 * when all leads are counted in them.
 */
export function isInRollups(question: Question, hasStatuses: boolean): boolean {
  const usedDimensions = listUsedDimensions(question)
  if (!usedDimensions.includes('status')) return usedDimensions.every((name) => rollupDimensions.has(name))
  return hasStatuses && question.viewer === null && usedDimensions.every((name) => statusDimensions.has(name))
}
