import { addDays } from '@karvon/contract/lib/day-ranges.ts'
import { getDateParts, getToday } from './date-time.format.ts'

const millisecondsPerDay = 86_400_000

/**
 * The last millisecond of a day in a time zone, as an ISO time. The clocks may change at this midnight or hours after it.
 */
export function getDayEnd(day: string, zone: string): string {
  const nextDay = Date.parse(`${addDays(day, 1)}T00:00:00Z`)
  const ends = [-1, 0, 1].map((days) => {
    const at = nextDay + days * millisecondsPerDay
    const parts = getDateParts(zone, new Date(at))
    const localTime = Date.parse(`${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}Z`)
    return nextDay - (localTime - at) - 1
  })
  const lastEnds = ends.filter((end) => getToday(zone, new Date(end)) === day)
  return new Date(Math.max(...(lastEnds.length > 0 ? lastEnds : ends))).toISOString()
}
