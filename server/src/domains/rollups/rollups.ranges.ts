/**
 * Lengths in days of the spans in the rollup tables. The spans of leads in segments have other lengths. A span starts at
 * a multiple of its length from `dayZero`.
 */
export const rollupSpanLengths = [1, 4, 16, 64, 256] as const
const longestSpan = rollupSpanLengths[rollupSpanLengths.length - 1] ?? 1

/** SQL: day 0. All day numbers count from this day. */
export const dayZero = `date '0001-01-01'`

/**
 * The spans whose sum is a period: `longestSpans` plus `added` minus `subtracted` contains each day of the period
 * exactly once. Days are numbers from `dayZero`; `until` is the day after the last one.
 *
 * - `added` and `subtracted`: together at most 14 spans of less than 256 days.
 * - `longestSpans`: every span of 256 days that starts in this range; no span if `from` >= `until`.
 * - `days`: the period itself.
 */
export interface RollupRanges {
  added: SpanList
  subtracted: SpanList
  longestSpans: DayRange
  days: DayRange
}

/** Spans of less than 256 days, as two lists of the same length. */
export interface SpanList {
  lengths: number[]
  starts: number[]
}

export interface DayRange {
  from: number
  until: number
}

/** A range around every day that PostgreSQL can store. */
const allDays: DayRange = { from: -1_721_000, until: 2_000_000_000 }

/** Splits a period into spans. Both days are inclusive, as yyyy-mm-dd; an undefined day leaves that side open. */
export function splitPeriod(start: string | undefined, end: string | undefined): RollupRanges {
  const days = {
    from: start === undefined ? allDays.from : dayNumber(start),
    until: end === undefined ? allDays.until : dayNumber(end) + 1,
  }
  const from = start === undefined ? unroundedDay(days.from) : roundDay(days.from)
  const until = end === undefined ? unroundedDay(days.until) : roundDay(days.until)
  const addedSpans = joinSpans(until.before, from.after)
  const subtractedSpans = joinSpans(until.after, from.before)
  const roundedPeriod = {
    added: addedSpans,
    subtracted: subtractedSpans,
    longestSpans: { from: from.day, until: until.day },
    days,
  }
  if (start === undefined || end === undefined) return roundedPeriod
  // For a short period, fewer spans are often enough without rounding to 256 days.
  const tiledPeriod = tilePeriod(days)
  const count =
    addedSpans.lengths.length + subtractedSpans.lengths.length + (until.day - from.day) / longestSpan
  if (from.day <= until.day && count < tiledPeriod.lengths.length) return roundedPeriod
  return {
    added: tiledPeriod,
    subtracted: { lengths: [], starts: [] },
    longestSpans: { from: 0, until: 0 },
    days,
  }
}

/** The days before the original day are: the days before `day`, plus the spans `before`, minus the spans `after`. */
interface RoundedDay {
  day: number
  before: SpanList
  after: SpanList
}

const unroundedDay = (day: number): RoundedDay => ({
  day,
  before: { lengths: [], starts: [] },
  after: { lengths: [], starts: [] },
})

/** Rounds to a multiple of 256 days with the fewest spans: to the nearer multiple of each length in turn. */
function roundDay(day: number): RoundedDay {
  const roundedDay = unroundedDay(day)
  for (const span of rollupSpanLengths.slice(0, -1)) {
    const passedSpans = spansPassed(roundedDay.day, span)
    const isUp = passedSpans === 3 || (passedSpans === 2 && spansPassed(roundedDay.day, span * 4) >= 2)
    const list = isUp ? roundedDay.after : roundedDay.before
    for (let count = isUp ? 4 - passedSpans : passedSpans; count > 0; count -= 1) {
      list.lengths.push(span)
      list.starts.push(isUp ? roundedDay.day : roundedDay.day - span)
      roundedDay.day += isUp ? span : -span
    }
  }
  return roundedDay
}

/** The number of spans of this length from the start of the four times longer span up to the day: 0 to 3. */
const spansPassed = (day: number, span: number) => Math.floor(day / span) % 4

const joinSpans = (a: SpanList, b: SpanList): SpanList => ({
  lengths: [...a.lengths, ...b.lengths],
  starts: [...a.starts, ...b.starts],
})

/** Covers a period with the fewest spans that lie completely in it. */
function tilePeriod({ from, until }: DayRange): SpanList {
  const list: SpanList = { lengths: [], starts: [] }
  for (let day = from; day < until;) {
    const fits = rollupSpanLengths.filter(
      (span) => span < longestSpan && day % span === 0 && day + span <= until,
    )
    const span = fits.at(-1) ?? 1
    list.lengths.push(span)
    list.starts.push(day)
    day += span
  }
  return list
}

const millisecondsPerDay = 86_400_000
const dayZeroTime = Date.parse('0001-01-01')
const dayNumber = (day: string) => (Date.parse(day) - dayZeroTime) / millisecondsPerDay
