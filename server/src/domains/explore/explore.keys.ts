import { dimensions, type DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { Where } from '../../resources/lists.where.ts'
import { dayZero } from '../rollups/rollups.ranges.ts'
import type { QuestionPeriod } from './explore.question.ts'

/** SQL: the day of the question that a day of the period is compared with. */
function questionDay(
  day: string,
  { period: { shift, firstDay }, parameters }: { period: QuestionPeriod; parameters: Where },
): string {
  if (shift === null) return day
  if ('days' in shift) return `(${day} + ${parameters.addParameter(shift.days)}::integer)`
  // A question that starts on 29 February is compared from 28 February on, which counts as its first day.
  return `greatest((${day} + interval '1 year')::date, ${parameters.addParameter(firstDay)}::date)`
}

/**
 * SQL of the key of a dimension of time. Day 0 is a Monday. A weekday is that of the day itself, not of the
 * compared one.
 */
export function timeKey(
  dimension: 'day' | 'week' | 'month' | 'weekday',
  day: string,
  of: { period: QuestionPeriod; parameters: Where },
): string {
  if (dimension === 'weekday') return `((${day} - ${dayZero}) % 7 + 1)`
  const movedDay = questionDay(day, of)
  if (dimension === 'day') return movedDay
  if (dimension === 'week') return `(${movedDay} - (${movedDay} - ${dayZero}) % 7)`
  return `date_trunc('month', ${movedDay}::timestamp)::date`
}

export const isTime = (dimension: DimensionName): dimension is 'day' | 'week' | 'month' | 'weekday' =>
  dimension === 'weekday' || dimensions[dimension].kind === 'period'

/** SQL: the column with the keys of the first (0) or second (1) dimension of a question. */
export const keyColumn = (at: number): string => (at === 0 ? 'row_key' : 'column_key')

/** The PostgreSQL type of the keys of a dimension. */
export function keyType(dimension: DimensionName): 'date' | 'integer' | 'bigint' | 'text' {
  const { kind } = dimensions[dimension]
  if (kind === 'period') return 'date'
  if (kind === 'cycle') return 'integer'
  return kind === 'id' ? 'bigint' : 'text'
}
