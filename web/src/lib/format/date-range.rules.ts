/** The first and the last day, both included, as `yyyy-mm-dd`. `preset`: the preset that was chosen. */
export type DateRangeValue = { start: string; end: string; preset?: PresetName }

/** The days that can be chosen. Each bound is optional. */
export type DateBounds = { min?: string | undefined; max?: string | undefined }

export const presetNames = [
  'today',
  'yesterday',
  'last_7_days',
  'last_30_days',
  'this_month',
  'last_month',
] as const
export type PresetName = (typeof presetNames)[number]

export const isPresetName = (name: unknown): name is PresetName => presetNames.some((each) => each === name)

const dayMs = 86_400_000

const parseUtcDay = (day: string) => new Date(`${day}T00:00:00Z`)
const formatIsoDay = (date: Date) => date.toISOString().slice(0, 10)

/** Whether a text is an existing day, as `yyyy-mm-dd`. */
export const isDay = (day: string): boolean => parseDay(day) === day

/** The day `count` days later, or earlier for a negative count. */
export function addDays(day: string, count: number): string {
  return formatIsoDay(new Date(parseUtcDay(day).getTime() + count * dayMs))
}

/** The calendar month of `day`, shifted by `shift` months. */
export function getMonthRange(day: string, shift = 0): DateRangeValue {
  const date = parseUtcDay(day)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + shift]
  return {
    start: formatIsoDay(new Date(Date.UTC(year, month, 1))),
    end: formatIsoDay(new Date(Date.UTC(year, month + 1, 0))),
  }
}

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
  const clipped = {
    start: min !== undefined && start < min ? min : start,
    end: max !== undefined && end > max ? max : end,
  }
  return clipped.start <= clipped.end ? clipped : null
}

/** The six presets, counted from `today` (a day of the installation's time zone). */
export function getPresetRanges(today: string): Record<PresetName, DateRangeValue> {
  const yesterday = addDays(today, -1)
  return {
    today: { start: today, end: today },
    yesterday: { start: yesterday, end: yesterday },
    last_7_days: { start: addDays(today, -6), end: today },
    last_30_days: { start: addDays(today, -29), end: today },
    this_month: getMonthRange(today),
    last_month: getMonthRange(today, -1),
  }
}

/** A typed day (`1.11.2026`, `01/11/26`, `2026-11-01`) as `yyyy-mm-dd`. Null when the day does not exist. */
export function parseDay(typed: string): string | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed.trim())
  const local = /^(\d{1,2})[./\s-](\d{1,2})[./\s-](\d{2}|\d{4})$/.exec(typed.trim())
  const [year, month, day] = iso ? [iso[1], iso[2], iso[3]] : local ? [local[3], local[2], local[1]] : []
  if (year === undefined || month === undefined || day === undefined) return null
  const isoDay = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = parseUtcDay(isoDay)
  return !Number.isNaN(date.getTime()) && formatIsoDay(date) === isoDay ? isoDay : null
}
