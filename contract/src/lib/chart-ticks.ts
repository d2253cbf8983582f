/** The smallest round number that is not below `value`: 1, 2 or 5 times a power of ten. */
export function roundUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power
}

/**
 * The ticks of an axis from 0 to at least `max`: round numbers with equal steps, at most `maxSteps` steps. The step
 * is 1 or more.
 */
export function getTicks(max: number, maxSteps: number): number[] {
  const step = Math.max(roundUp(max / maxSteps), 1)
  const count = Math.max(Math.ceil(max / step), 1)
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}
