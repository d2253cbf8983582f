/** Lengths in days of the spans that totals are kept of; each starts at multiples of its length from `dayZero`. */
export const spans = [1, 4, 16, 64, 256] as const
const widest = spans[spans.length - 1] ?? 1

/** Days are numbers here: how many lie between this one and them. As SQL. */
export const dayZero = `date '0001-01-01'`

/**
 * The spans that a period is made of, each of its days in exactly one of them. Days are numbers from `dayZero`
 * on, an `until` is the day after the last.
 *
 * - `edges`: at most 24 spans of less than 256 days, as two lists of the same length.
 * - `whole`: every span of 256 days that starts in it; `from` at or after `until` means none.
 * - `days`: the period itself.
 */
export interface Cover {
  edges: { spans: number[]; starts: number[] }
  whole: Days
  days: Days
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
  const whole = {
    from: start === undefined ? days.from : Math.ceil(days.from / widest) * widest,
    until: end === undefined ? days.until : Math.floor(days.until / widest) * widest,
  }
  const edges: Cover['edges'] = { spans: [], starts: [] }
  if (whole.from > whole.until) tile(days, edges)
  else {
    tile({ from: days.from, until: whole.from }, edges)
    tile({ from: whole.until, until: days.until }, edges)
  }
  return { edges, whole, days }
}

function tile({ from, until }: Days, edges: Cover['edges']): void {
  for (let day = from; day < until;) {
    const fits = spans.filter((span) => span < widest && day % span === 0 && day + span <= until)
    const span = fits.at(-1) ?? 1
    edges.spans.push(span)
    edges.starts.push(day)
    day += span
  }
}

const msADay = 86_400_000
const zero = Date.parse('0001-01-01')
const dayNumber = (day: string) => (Date.parse(day) - zero) / msADay
