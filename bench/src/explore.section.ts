import type { ExploreCase } from './explore.cases.ts'
import type { Duration } from './reports.product.ts'
import { formatMs } from './reports.section.ts'

/** Medians of a question, and the times of GROUP BY over the same leads. */
export interface ExploreLine extends ExploreCase {
  readonly own: Duration
  readonly groupByMs: number | null
  readonly duckMs: number
}

export const meetsAim =
  (unit: keyof Duration) =>
  ({ own, limit }: ExploreLine): boolean =>
    own[unit] <= limit

export const formatPair = ({ scope, rows, columns, period }: ExploreCase): string =>
  `${scope} ${rows} × ${columns}, ${period.name}`

/** The conditions of the measurement. */
export interface ExploreMeasurement {
  readonly leads: number
  readonly rounds: number
  /** Figures that were compared with GROUP BY. */
  readonly compared: number
  readonly storage: string
  readonly duck: string
  /** The load of the machine before and after. */
  readonly load: readonly [number, number]
}

export function formatExplore(
  lines: readonly ExploreLine[],
  { leads, rounds, compared, storage, duck, load }: ExploreMeasurement,
): string {
  const rows = lines.map((line) => {
    const { scope, rows: first, columns, period, own, groupByMs, duckMs, limit } = line
    const result = meetsAim('ms')(line) ? 'yes' : meetsAim('cpu')(line) ? 'by processor time' : 'no'
    const figures = [own.ms, own.cpu, groupByMs, duckMs].map(formatMs)
    return `| ${scope} | ${first} × ${columns} | ${period.name} | ${figures.join(' | ')} | ${limit} | ${result} |`
  })
  const countMissed = (unit: keyof Duration) => lines.filter((line) => !meetsAim(unit)(line)).length
  return [
    '## explore',
    '',
    `Questions of Explore from the request to the last byte, over ${leads.toLocaleString('en')} leads: medians of ${rounds} in milliseconds, ` +
      `by the clock and of processor time in the product and PostgreSQL together, which other work on the machine disturbs less. ` +
      `Beside it the GROUP BY over the leads, once, in PostgreSQL for some and in DuckDB (${duck}, its own clock).`,
    '',
    '| scope | pair | period | ms | processor | GROUP BY | DuckDB | aim | met |',
    '|---|---|---|--:|--:|--:|--:|--:|---|',
    ...rows,
    '',
    `${compared.toLocaleString('en')} figures equal GROUP BY, 0 differ. ${storage}`,
    '',
    `Of ${lines.length} questions ${countMissed('ms')} miss their aim by the clock, ${countMissed('cpu')} by processor time. ` +
      `Load ${load.map((value) => value.toFixed(1)).join(' before, ')} after.`,
    '',
  ].join('\n')
}
