import { formatIsoDay, parseUtcDay, type DateRangeValue } from '@karvon/contract/lib/day-ranges.ts'

/** The days that can be chosen. Each bound is optional. */
export type DateBounds = { min?: string | undefined; max?: string | undefined }

/** Whether a text is an existing day, as `yyyy-mm-dd`. */
export const isDay = (day: string): boolean => parseDay(day) === day

/** Two days in any order as a range. */
export function orderRange(first: string, second: string): DateRangeValue {
  return second < first ? { start: second, end: first } : { start: first, end: second }
}

/** Whether a day is within the bounds. */
export function isInBounds(day: string, { min, max }: DateBounds): boolean {
  return (min === undefined || day >= min) && (max === undefined || day <= max)
}

/** The part of a range within the bounds, or null when they do not overlap. */
export function clipRange({ start, end }: DateRangeValue, { min, max }: DateBounds): DateRangeValue | null {
  const clippedRange = {
    start: min !== undefined && start < min ? min : start,
    end: max !== undefined && end > max ? max : end,
  }
  return clippedRange.start <= clippedRange.end ? clippedRange : null
}

/**
 * A typed day (`1.11.2026`, `01/11/26`, `2026-11-01`, `01112026`) as `yyyy-mm-dd`. Null when the day does not exist. The keypad of
 * an iPhone has digits alone.
 */
export function parseDay(typedText: string): string | null {
  const text = typedText.trim().replace(/^(\d\d)(\d\d)(\d\d|\d{4})$/, '$1.$2.$3')
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  const local = /^(\d{1,2})[./\s-](\d{1,2})[./\s-](\d{2}|\d{4})$/.exec(text)
  const [year, month, day] = iso ? [iso[1], iso[2], iso[3]] : local ? [local[3], local[2], local[1]] : []
  if (year === undefined || month === undefined || day === undefined) return null
  const isoDay = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = parseUtcDay(isoDay)
  // The year is NaN for a day that does not exist. There is no year 0.
  return date.getUTCFullYear() > 0 && formatIsoDay(date) === isoDay ? isoDay : null
}
