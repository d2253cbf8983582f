import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coverOf } from './rollups.cover.ts'

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

/** What is added up for a day: the spans that hold it, less those that are taken away. */
function countedAt(at: number, { plus, minus, whole }: ReturnType<typeof coverOf>): number {
  const holding = ({ spans, starts }: typeof plus) =>
    starts.filter((start, i) => at >= start && at < start + (spans[i] ?? 0)).length
  const block = Math.floor(at / 256) * 256
  return holding(plus) - holding(minus) + (block >= whole.from && block < whole.until ? 1 : 0)
}

test('every day of a period is counted once, and no other day is', () => {
  fc.assert(
    fc.property(
      period,
      fc.boolean(),
      fc.boolean(),
      fc.array(day),
      ({ from, until }, openStart, openEnd, others) => {
        const cover = coverOf(openStart ? undefined : text(from), openEnd ? undefined : text(until - 1))
        const near = Array.from({ length: Math.min(until - from, 1200) + 700 }, (_, i) => from - 350 + i)
        const ends = Array.from({ length: 700 }, (_, i) => until - 350 + i)
        const asked = (at: number) => ((openStart || at >= from) && (openEnd || at < until) ? 1 : 0)
        const wrong = [...near, ...ends, ...others].filter((at) => countedAt(at, cover) !== asked(at))
        expect(wrong).toEqual([])
      },
    ),
    { numRuns: 300 },
  )
})

test('spans start at multiples of their length, are few, and none of the longest is among the edges', () => {
  fc.assert(
    fc.property(period, ({ from, until }) => {
      const { plus, minus, days: asked } = coverOf(text(from), text(until - 1))
      expect(plus.spans.length + minus.spans.length).toBeLessThanOrEqual(14)
      for (const { spans, starts } of [plus, minus]) {
        expect(starts).toHaveLength(spans.length)
        spans.forEach((span, i) => {
          expect([1, 4, 16, 64]).toContain(span)
          expect(Math.abs((starts[i] ?? Number.NaN) % span)).toBe(0)
        })
      }
      expect(asked).toEqual({ from, until })
    }),
  )
})

test('a period open on both sides is whole spans alone', () => {
  const { plus, minus, whole, days: all } = coverOf(undefined, undefined)
  expect([...plus.spans, ...minus.spans]).toEqual([])
  expect(whole).toEqual(all)
})
