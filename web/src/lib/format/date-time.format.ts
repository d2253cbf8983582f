import { daySeparator } from './day.format.ts'
import { missingValue } from './missing.ts'

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

/** The digits of a moment in a time zone. */
export function getDateParts(
  zone: string,
  at: Date,
): Record<'year' | 'month' | 'day' | 'hour' | 'minute', string> {
  const parts = { year: '', month: '', day: '', hour: '', minute: '' }
  for (const { type, value } of getZoneFormat(zone).formatToParts(at)) {
    if (type in parts) parts[type as keyof typeof parts] = value
  }
  return parts
}
