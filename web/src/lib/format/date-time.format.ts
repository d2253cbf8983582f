import { addDays } from '@karvon/contract/lib/day-ranges.ts'
import { daySeparator } from './day.format.ts'
import { missingValue } from './missing.ts'

const millisecondsPerDay = 86_400_000

/** Today in a time zone (an IANA name), as `yyyy-mm-dd`. */
export function getToday(zone: string, now = new Date()): string {
  const { year, month, day } = getDateParts(zone, now)
  return `${year}-${month}-${day}`
}

/**
 * An ISO time in a time zone: `21.11.2026 09:42`, or without the year `21.11 09:42`. Text that is not a time
 * is returned unchanged. A dash is shown for a missing time.
 */
export function formatDateTime(
  iso: string | null | undefined,
  zone: string,
  style: 'full' | 'short' = 'full',
): string {
  if (!iso) return missingValue
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  const { year, month, day, hour, minute } = getDateParts(zone, at)
  const date = [day, month, ...(style === 'full' ? [year] : [])].join(daySeparator)
  return `${date} ${hour}:${minute}`
}

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

const formatsByZone = new Map<string, Intl.DateTimeFormat>()

// Creating a format costs a hundred times more than using it, and a list of 200 rows uses it 200 times.
function getZoneFormat(zone: string): Intl.DateTimeFormat {
  const cachedFormat = formatsByZone.get(zone)
  if (cachedFormat) return cachedFormat
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formatsByZone.set(zone, format)
  return format
}

function getDateParts(zone: string, at: Date): Record<'year' | 'month' | 'day' | 'hour' | 'minute', string> {
  const parts = { year: '', month: '', day: '', hour: '', minute: '' }
  for (const { type, value } of getZoneFormat(zone).formatToParts(at)) {
    if (type in parts) parts[type as keyof typeof parts] = value
  }
  return parts
}
