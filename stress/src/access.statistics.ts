export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2
}

const shuffles = 400

/**
 * The difference of the medians of two series. `noise` is the standard deviation of this difference when the values are
 * assigned to the series at random. A difference of a few times the noise is not significant.
 */
export function compareMedians(one: readonly number[], other: readonly number[]) {
  const all = [...one, ...other]
  let squares = 0
  for (let round = 0; round < shuffles; round += 1) {
    for (let at = all.length - 1; at > 0; at -= 1) {
      const chosen = Math.floor(Math.random() * (at + 1))
      ;[all[at], all[chosen]] = [all[chosen] ?? 0, all[at] ?? 0]
    }
    squares += (median(all.slice(0, one.length)) - median(all.slice(one.length))) ** 2
  }
  return { difference: median(one) - median(other), noise: Math.sqrt(squares / shuffles) }
}
