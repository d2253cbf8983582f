import type { Compared, ExploreFigures } from '@karvon/contract/explore/explore.ts'
import { isRatio, metricKinds, type MetricName } from '@karvon/contract/explore/explore.metrics.ts'
import { ratios, type SumFigure } from '@karvon/contract/lib/report-ratios.ts'

/** Sums by figure; money in hundredths. */
export type Sums = Readonly<Partial<Record<SumFigure, bigint>>>

const power = (decimals: number): bigint => 10n ** BigInt(decimals)

const decimalsOf = (metric: MetricName): number => {
  if (isRatio(metric)) return ratios[metric].decimals
  return metricKinds[metric] === 'money' ? 2 : 0
}

/** Divides and rounds half away from 0, as `round` of PostgreSQL does. */
function divide(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n
  const [a, b] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor]
  const quotient = (2n * a + b) / (2n * b)
  return isNegative ? -quotient : quotient
}

const add = (sums: Sums, figures: readonly SumFigure[]): bigint =>
  figures.reduce((sum, figure) => sum + (sums[figure] ?? 0n), 0n)

/** A metric as a whole number of its last decimal; null if it is a quotient by 0. */
function calculate(metric: MetricName, sums: Sums): bigint | null {
  if (!isRatio(metric)) return sums[metric] ?? 0n
  const { numerator, divisor } = ratios[metric]
  const divisorSum = add(sums, divisor)
  if (divisorSum === 0n) return null
  const factor = metricKinds[metric] === 'rate' ? power(decimalsOf(metric)) : 1n
  return divide(add(sums, numerator) * factor, divisorSum)
}

/** The nearest number to a whole number of hundredths or the like. */
function toNumber(value: bigint, decimals: number): number {
  const number = Number(value)
  // The quotient of two exact numbers is the nearest one to the decimal.
  if (decimals === 0 || Number.isSafeInteger(number)) return number / 10 ** decimals
  const digits = (value < 0n ? -value : value).toString()
  return Number(`${value < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`)
}

function compare(metric: MetricName, value: bigint | null, before: bigint | null): Compared {
  const decimals = decimalsOf(metric)
  const difference = value === null || before === null ? null : value - before
  const percent =
    difference === null || before === null || before === 0n
      ? null
      : toNumber(divide(difference * 1000n, before < 0n ? -before : before), 1)
  return {
    value: before === null ? null : toNumber(before, decimals),
    difference: difference === null ? null : toNumber(difference, decimals),
    percent,
  }
}

/** The metrics of a group of leads. `before` has the sums of the compared period. */
export function calculateFigures(
  names: readonly MetricName[],
  sums: Sums,
  before: Sums | null,
): ExploreFigures {
  const metrics: Record<string, number | null> = {}
  const comparisons: Record<string, Compared> = {}
  for (const metric of names) {
    const value = calculate(metric, sums)
    metrics[metric] = value === null ? null : toNumber(value, decimalsOf(metric))
    if (before !== null) comparisons[metric] = compare(metric, value, calculate(metric, before))
  }
  return { metrics, compared: before === null ? null : comparisons }
}
