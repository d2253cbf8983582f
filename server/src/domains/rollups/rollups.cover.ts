/** Lengths in days of the spans that totals are kept of; each starts at multiples of its length from `dayZero`. */
export const spans = [1, 4, 16, 64, 256] as const
const widest = spans[spans.length - 1] ?? 1

/** Days are numbers here: how many lie between this one and them. As SQL. */
export const dayZero = `date '0001-01-01'`

/**
 * The spans that a period is made of: their sum, less those that reach beyond it, has each of its days once and
 * no other. Days are numbers from `dayZero` on, an `until` is the day after the last.
 *
 * - `plus` and `minus`: together at most 14 spans of less than 256 days.
 * - `whole`: every span of 256 days that starts in it; `from` at or after `until` means none.
 * - `days`: the period itself.
 */
export interface Cover {
  plus: Parts
  minus: Parts
  whole: Days
  days: Days
}

/** Spans of less than 256 days, as two lists of the same length. */
export interface Parts {
  spans: number[]
  starts: number[]
}

export interface Days {
  from: number
  until: number
}

/** Before and after every day that a lead can have. */
const ever: Days = { from: -1_721_000, until: 2_000_000_000 }

/** Of a period from one day to another, both inclusive, as yyyy-mm-dd; without a day it is open on that side. */
export function coverOf(start: string | undefined, end: string | undefined): Cover {
  const days = {
    from: start === undefined ? ever.from : dayNumber(start),
    until: end === undefined ? ever.until : dayNumber(end) + 1,
  }
  const from = start === undefined ? at(days.from) : roundOff(days.from)
  const until = end === undefined ? at(days.until) : roundOff(days.until)
  const plus = joined(until.before, from.after)
  const minus = joined(until.after, from.before)
  const rounded = { plus, minus, whole: { from: from.at, until: until.at }, days }
  if (start === undefined || end === undefined) return rounded
  // A short period is often made of fewer spans without going as far as the next 256 days.
  const tiled = tile(days)
  const parts = plus.spans.length + minus.spans.length + (until.at - from.at) / widest
  if (from.at <= until.at && parts < tiled.spans.length) return rounded
  return { plus: tiled, minus: { spans: [], starts: [] }, whole: { from: 0, until: 0 }, days }
}

/** All days before a day are those before `at`, with `before` and without `after`. */
interface Rounded {
  at: number
  before: Parts
  after: Parts
}

const at = (day: number): Rounded => ({
  at: day,
  before: { spans: [], starts: [] },
  after: { spans: [], starts: [] },
})

/** To a multiple of 256 days by the fewest spans: to the nearer multiple of each length, as one rounds a number. */
function roundOff(day: number): Rounded {
  const rounded = at(day)
  for (const span of spans.slice(0, -1)) {
    const passed = digit(rounded.at, span)
    const up = passed === 3 || (passed === 2 && digit(rounded.at, span * 4) >= 2)
    const parts = up ? rounded.after : rounded.before
    for (let left = up ? 4 - passed : passed; left > 0; left -= 1) {
      parts.spans.push(span)
      parts.starts.push(up ? rounded.at : rounded.at - span)
      rounded.at += up ? span : -span
    }
  }
  return rounded
}

/** How many spans of a length lie between a day and the start of the four times longer one around it. */
const digit = (day: number, span: number) => Math.floor(day / span) % 4

const joined = (a: Parts, b: Parts): Parts => ({
  spans: [...a.spans, ...b.spans],
  starts: [...a.starts, ...b.starts],
})

/** The fewest spans that lie in a period and leave nothing of it out. */
function tile({ from, until }: Days): Parts {
  const parts: Parts = { spans: [], starts: [] }
  for (let day = from; day < until;) {
    const fits = spans.filter((span) => span < widest && day % span === 0 && day + span <= until)
    const span = fits.at(-1) ?? 1
    parts.spans.push(span)
    parts.starts.push(day)
    day += span
  }
  return parts
}

const msADay = 86_400_000
const zero = Date.parse('0001-01-01')
const dayNumber = (day: string) => (Date.parse(day) - zero) / msADay
