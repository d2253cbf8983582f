import { rollupSpanLengths, splitPeriod } from '../rollups/rollups.ranges.ts'

/** A total of `span` days from the day number `start`, to add (1) or to subtract (-1). */
export interface SignedSpan {
  sign: number
  span: number
  start: number
}

export const longestSpan = Math.max(...rollupSpanLengths)

/** The totals whose signed sum is a short period. Both days are inclusive, yyyy-mm-dd. */
export function listSignedSpans(from: string, to: string): SignedSpan[] {
  const { added, subtracted, longestSpans } = splitPeriod(from, to)
  const sign = (list: typeof added, sign: number) =>
    list.lengths.map((span, i) => ({ sign, span, start: list.starts[i] ?? 0 }))
  const longest: SignedSpan[] = []
  for (let start = longestSpans.from; start < longestSpans.until; start += longestSpan)
    longest.push({ sign: 1, span: longestSpan, start })
  return [...sign(added, 1), ...sign(subtracted, -1), ...longest]
}
