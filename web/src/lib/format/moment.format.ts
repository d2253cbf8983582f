import { dayMark } from './day.format.ts'
import { missingValue } from './missing.ts'

/** Today's day, `yyyy-mm-dd`, in a time zone (an IANA name). */
export function todayIn(zone: string, now = new Date()): string {
  const { year, month, day } = partsIn(zone, now)
  return `${year}-${month}-${day}`
}

/**
 * An ISO moment as the desk writes it in a time zone: `21.11.2026 09:42`, or without the year `21.11 09:42`.
 * Text that is no moment is returned unchanged; a dash stands for a missing one.
 */
export function formatMoment(
  iso: string | null | undefined,
  zone: string,
  style: 'full' | 'short' = 'full',
): string {
  if (!iso) return missingValue
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  const { year, month, day, hour, minute } = partsIn(zone, at)
  const written = [day, month, ...(style === 'full' ? [year] : [])].join(dayMark)
  return `${written} ${hour}:${minute}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

// A format costs a hundred times what its use does, and a list of 200 rows asks for 200.
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(zone, made)
  return made
}

function partsIn(zone: string, at: Date): Record<'year' | 'month' | 'day' | 'hour' | 'minute', string> {
  const parts = { year: '', month: '', day: '', hour: '', minute: '' }
  for (const { type, value } of formatOf(zone).formatToParts(at)) {
    if (type in parts) parts[type as keyof typeof parts] = value
  }
  return parts
}
