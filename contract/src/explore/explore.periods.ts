import { addDays, formatIsoDay } from '../lib/day-ranges.ts'
import type { PeriodName } from '../lib/period-names.ts'

/** A range of days, yyyy-mm-dd, both inclusive. An undefined day leaves that side open. */
export interface DayPeriod {
  readonly start?: string | undefined
  readonly end?: string | undefined
}

const millisecondsPerDay = 86_400_000

const countDays = (start: string, end: string): number =>
  Math.round((Date.parse(end) - Date.parse(start)) / millisecondsPerDay) + 1

/** Monday is 1, as in ISO 8601. */
const getWeekday = (day: string): number => ((new Date(Date.parse(day)).getUTCDay() + 6) % 7) + 1

const startOfWeek = (day: string): string => addDays(day, 1 - getWeekday(day))

const startOfMonth = (day: string): string => `${day.slice(0, 8)}01`

const endOfMonth = (day: string) => addDays(startOfMonth(addDays(startOfMonth(day), 31)), -1)

/** The days of the day, week or month that contains a day. */
export const periodOf: Readonly<Record<'day' | 'week' | 'month', (day: string) => Required<DayPeriod>>> = {
  day: (day) => ({ start: day, end: day }),
  week: (day) => ({ start: startOfWeek(day), end: addDays(startOfWeek(day), 6) }),
  month: (day) => ({ start: startOfMonth(day), end: endOfMonth(day) }),
}

/** The days of a period on the day `today`. */
export function resolvePeriod(period: PeriodName, today: string): DayPeriod {
  const lastMonth = addDays(startOfMonth(today), -1)
  const lastSunday = addDays(startOfWeek(today), -1)
  switch (period) {
    case 'today':
      return { start: today, end: today }
    case 'yesterday':
      return { start: addDays(today, -1), end: addDays(today, -1) }
    case 'last_7_days':
      return { start: addDays(today, -6), end: today }
    case 'last_30_days':
      return { start: addDays(today, -29), end: today }
    case 'last_90_days':
      return { start: addDays(today, -89), end: today }
    case 'this_week':
      return { start: startOfWeek(today), end: today }
    case 'last_week':
      return { start: startOfWeek(lastSunday), end: lastSunday }
    case 'this_month':
      return { start: startOfMonth(today), end: today }
    case 'last_month':
      return { start: startOfMonth(lastMonth), end: lastMonth }
    case 'this_year':
      return { start: `${today.slice(0, 4)}-01-01`, end: today }
    case 'all':
      return {}
  }
}

/**
 * What a period is compared with. `previous_period`: as many days directly before. `same_weekdays`: the fewest whole weeks
 * before that do not overlap. `year`: the same dates a year before.
 */
export const comparisonNames = ['previous_period', 'same_weekdays', 'year'] as const
export type ComparisonName = (typeof comparisonNames)[number]

/** The distance to the compared period: days, or one year. */
export type PeriodShift = { readonly days: number } | { readonly years: 1 }

export function findShift(comparison: ComparisonName, { start, end }: Required<DayPeriod>): PeriodShift {
  if (comparison === 'year') return { years: 1 }
  const days = countDays(start, end)
  return { days: comparison === 'previous_period' ? days : Math.ceil(days / 7) * 7 }
}

/** The day before the shift. 29 February becomes 28 February. */
export function shiftBack(day: string, shift: PeriodShift): string {
  if ('days' in shift) return addDays(day, -shift.days)
  const year = String(Math.max(Number(day.slice(0, 4)) - 1, 1)).padStart(4, '0')
  const movedDay = `${year}${day.slice(4)}`
  return Number.isNaN(Date.parse(movedDay)) || formatIsoDay(new Date(movedDay)) !== movedDay
    ? `${year}-02-28`
    : movedDay
}

/** The last day that counts as a day or an earlier one after the shift: 29 February counts as 28 February of the next year. */
export function shiftEndBack(day: string, shift: PeriodShift): string {
  const [end, dayBeforeNext] = [shiftBack(day, shift), addDays(shiftBack(addDays(day, 1), shift), -1)]
  return end > dayBeforeNext ? end : dayBeforeNext
}

/** The days that two periods share. There are none if it starts after its end. */
export const intersectPeriods = (a: DayPeriod, b: DayPeriod): DayPeriod => ({
  start: a.start === undefined || (b.start !== undefined && a.start < b.start) ? b.start : a.start,
  end: a.end === undefined || (b.end !== undefined && a.end > b.end) ? b.end : a.end,
})
