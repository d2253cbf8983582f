import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitPeriod } from './rollups.ranges.ts'

const msADay = 86_400_000
const first = Date.parse('0001-01-01')
const last = Date.parse('9999-12-31')
const text = (day: number) => new Date(first + day * msADay).toISOString().slice(0, 10)
const days = (last - first) / msADay

const day = fc
  .oneof(
    fc.integer({ min: 0, max: days }),
    // Around the ends of spans, and of the calendar.
    fc.integer({ min: 0, max: 1000 }).map((n) => n * 256 + (n % 3) - 1),
    fc.constantFrom(0, 1, 255, 256, 257, days - 1, days),
  )
  .map((n) => Math.min(Math.max(n, 0), days))
const period = fc.tuple(day, fc.oneof(fc.integer({ min: 0, max: 2000 }), day)).map(([from, length]) => ({
  from,
  until: Math.min(from + length, days) + 1,
}))

/** How often a day is counted: the number of added spans that contain it, minus the subtracted ones. */
function timesCounted(
  at: number,
  { added, subtracted, longestSpans }: ReturnType<typeof splitPeriod>,
): number {
  const countSpans = ({ lengths, starts }: typeof added) =>
    starts.filter((start, i) => at >= start && at < start + (lengths[i] ?? 0)).length
  const block = Math.floor(at / 256) * 256
  return (
    countSpans(added) -
    countSpans(subtracted) +
    (block >= longestSpans.from && block < longestSpans.until ? 1 : 0)
  )
}

test('the ranges of a period count each of its days once, and no other day', () => {
  fc.assert(
    fc.property(
      period,
      fc.boolean(),
      fc.boolean(),
      fc.array(day),
      ({ from, until }, openStart, openEnd, otherDays) => {
        const ranges = splitPeriod(openStart ? undefined : text(from), openEnd ? undefined : text(until - 1))
        const near = Array.from({ length: Math.min(until - from, 1200) + 700 }, (_, i) => from - 350 + i)
        const ends = Array.from({ length: 700 }, (_, i) => until - 350 + i)
        const expected = (at: number) => ((openStart || at >= from) && (openEnd || at < until) ? 1 : 0)
        const wrong = [...near, ...ends, ...otherDays].filter(
          (at) => timesCounted(at, ranges) !== expected(at),
        )
        expect(wrong).toEqual([])
      },
    ),
    { numRuns: 300 },
  )
})

test('ranges start at multiples of their length, are few, and have no longest span at the edges', () => {
  fc.assert(
    fc.property(period, ({ from, until }) => {
      const { added, subtracted, days: range } = splitPeriod(text(from), text(until - 1))
      expect(added.lengths.length + subtracted.lengths.length).toBeLessThanOrEqual(14)
      for (const { lengths, starts } of [added, subtracted]) {
        expect(starts).toHaveLength(lengths.length)
        lengths.forEach((length, i) => {
          expect([1, 4, 16, 64]).toContain(length)
          expect(Math.abs((starts[i] ?? Number.NaN) % length)).toBe(0)
        })
      }
      expect(range).toEqual({ from, until })
    }),
  )
})

test('a period without ends consists only of the longest spans', () => {
  const { added, subtracted, longestSpans, days: allDays } = splitPeriod(undefined, undefined)
  expect([...added.lengths, ...subtracted.lengths]).toEqual([])
  expect(longestSpans).toEqual(allDays)
})
