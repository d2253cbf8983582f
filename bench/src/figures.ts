/** The figures of a contender, one for each round. */
type RoundFigures = readonly number[]

export interface Spread {
  median: number
  min: number
  max: number
}

/** Median, minimum and maximum of at least one number. */
export function computeSpread(figures: RoundFigures): Spread {
  const sortedFigures = figures.toSorted((a, b) => a - b)
  const at = (index: number) => sortedFigures[index] ?? Number.NaN
  const middle = sortedFigures.length / 2
  const median = sortedFigures.length % 2 === 1 ? at(Math.floor(middle)) : (at(middle - 1) + at(middle)) / 2
  return { median, min: at(0), max: at(sortedFigures.length - 1) }
}

/** The ratio `a / b` of each round. Both were measured one after the other, so other load affects both. */
export function computeRatios(a: RoundFigures, b: RoundFigures): number[] {
  return a.map((value, round) => value / (b[round] ?? Number.NaN))
}

/** A larger spread, as a share of the median, means that the machine was busy. */
const maxSpread = 0.25

export const isNoisy = ({ median, min, max }: Spread): boolean => (max - min) / median > maxSpread
