/** The first and the last day, both included, as `yyyy-mm-dd`. `preset`: the preset that was chosen. */
export type DateRangeValue = { start: string; end: string; preset?: PresetName }

export const presetNames = [
  'today',
  'yesterday',
  'last_7_days',
  'last_30_days',
  'this_month',
  'last_month',
] as const
export type PresetName = (typeof presetNames)[number]

export const isPresetName = (name: unknown): name is PresetName =>
  presetNames.some((presetName) => presetName === name)

const dayMs = 86_400_000

export const parseUtcDay = (day: string): Date => new Date(`${day}T00:00:00Z`)
export const formatIsoDay = (date: Date): string => date.toISOString().slice(0, 10)

const [firstDay, lastDay] = ['0001-01-01', '9999-12-31'].map(Date.parse) as [number, number]

/** The day that is so many days later, or earlier. Days outside of the years 0001 to 9999 stay at this limit. */
export const addDays = (day: string, days: number): string =>
  formatIsoDay(new Date(Math.min(Math.max(Date.parse(day) + days * dayMs, firstDay), lastDay)))

/** The calendar month of `day`, shifted by `shift` months. */
export function getMonthRange(day: string, shift = 0): DateRangeValue {
  const date = parseUtcDay(day)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + shift]
  return {
    start: formatIsoDay(new Date(Date.UTC(year, month, 1))),
    end: formatIsoDay(new Date(Date.UTC(year, month + 1, 0))),
  }
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
