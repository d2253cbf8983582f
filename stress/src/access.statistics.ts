export function median(values: readonly number[]): number {
  const sortedValues = values.toSorted((a, b) => a - b)
  const middle = sortedValues.length >> 1
  const upper = sortedValues[middle] ?? 0
  return sortedValues.length % 2 === 1 ? upper : (upper + (sortedValues[middle - 1] ?? 0)) / 2
}

const shuffles = 400

/**
 * The difference of the medians of two series. `noise` is the standard deviation of this difference when the values are
 * assigned to the series at random. A difference of a few times the noise is not significant.
 */
export function compareMedians(first: readonly number[], second: readonly number[]) {
  const allValues = [...first, ...second]
  let squares = 0
  for (let round = 0; round < shuffles; round += 1) {
    for (let at = allValues.length - 1; at > 0; at -= 1) {
      const chosenIndex = Math.floor(Math.random() * (at + 1))
      ;[allValues[at], allValues[chosenIndex]] = [allValues[chosenIndex] ?? 0, allValues[at] ?? 0]
    }
    squares += (median(allValues.slice(0, first.length)) - median(allValues.slice(first.length))) ** 2
  }
  return { difference: median(first) - median(second), noise: Math.sqrt(squares / shuffles) }
}
