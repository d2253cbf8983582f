export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2
}

const shuffles = 400

/**
 * How far the medians of two series lie apart, and how far those of the same values lie apart when each is given to
 * one of the series by chance (the standard deviation of that): what is within a few times of it tells nothing.
 */
export function difference(one: readonly number[], other: readonly number[]) {
  const all = [...one, ...other]
  let squares = 0
  for (let round = 0; round < shuffles; round += 1) {
    for (let at = all.length - 1; at > 0; at -= 1) {
      const taken = Math.floor(Math.random() * (at + 1))
      ;[all[at], all[taken]] = [all[taken] ?? 0, all[at] ?? 0]
    }
    squares += (median(all.slice(0, one.length)) - median(all.slice(one.length))) ** 2
  }
  return { between: median(one) - median(other), noise: Math.sqrt(squares / shuffles) }
}
