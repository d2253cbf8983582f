/** One contender's figures, a number a round. */
type Rounds = readonly number[]

export interface Spread {
  median: number
  min: number
  max: number
}

/** Median, least and most of at least one number. */
export function spread(numbers: Rounds): Spread {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? Number.NaN
  const middle = sorted.length / 2
  const median = sorted.length % 2 === 1 ? at(Math.floor(middle)) : (at(middle - 1) + at(middle)) / 2
  return { median, min: at(0), max: at(sorted.length - 1) }
}

/** Each round's `a / b`: neighbours in time, so that what disturbs the machine disturbs both. */
export function ratios(a: Rounds, b: Rounds): number[] {
  return a.map((value, round) => value / (b[round] ?? Number.NaN))
}

/** Rounds that differ by more than this part of their median were disturbed by something else. */
const calm = 0.25

export const isNoisy = ({ median, min, max }: Spread): boolean => (max - min) / median > calm
