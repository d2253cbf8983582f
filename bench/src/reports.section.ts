import { shape } from './leads.generate.queries.ts'
import type { Case } from './reports.cases.ts'
import { pendingDeltas, type Duration } from './reports.product.ts'
import type { PeerTimes } from './reports.peers.ts'

/** Largest milliseconds of a report, and largest ratio of its time at ten times the leads. */
const limits = { ms: 30, ratio: 1.3 }

/** Medians of elapsed and processor time. `slowest`: those of the slowest period. */
export interface ReportLine extends Case, PeerTimes {
  large: Duration
  slowest: Duration
  small: Duration
  ratio: Duration
}

/** The conditions of the measurement. */
export interface Measurement {
  leads: number
  rounds: number
  /** Reports that were compared with a recount. */
  compared: number
  duck: string
  /** The load of the machine before and after. */
  load: readonly [number, number]
}

export const isMet =
  (unit: keyof Duration) =>
  ({ slowest, ratio }: ReportLine): boolean =>
    slowest[unit] <= limits.ms && ratio[unit] <= limits.ratio

export const formatMs = (ms: number | null): string =>
  ms === null ? '' : ms >= 100 ? ms.toFixed(0) : ms.toFixed(1)

export function formatReports(lines: readonly ReportLine[], measurement: Measurement): string {
  const { leads, rounds, compared, duck, load } = measurement
  const [manyText, fewText] = [leads, leads / 10].map((count) => `${count.toLocaleString('en')} leads`)
  const rows = lines.map(
    ({ scope, kind, description, large, slowest, small, ratio, postgresMs, duckMs: unit }) => {
      const clock = [large.ms, slowest.ms, small.ms].map(formatMs)
      const processor = [large.cpu, slowest.cpu, small.cpu].map(formatMs)
      const figures = [
        ...clock,
        ratio.ms.toFixed(2),
        ...processor,
        ratio.cpu.toFixed(2),
        formatMs(postgresMs),
        formatMs(unit),
      ]
      return `| ${scope} ${kind} | ${description} | ${figures.join(' | ')} |`
    },
  )
  return [
    '## reports-10m',
    '',
    `Every report from the request to the last byte, over ${shape.days} days of ${shape.offers} offers and ` +
      `${shape.streams.toLocaleString('en')} streams, with ${pendingDeltas.toLocaleString('en')} changes that no total has yet: ` +
      `medians in milliseconds, by the clock and of processor time in the product and PostgreSQL together, which other ` +
      `work on the machine disturbs less. Beside it the GROUP BY over the leads, in PostgreSQL and in DuckDB (${duck}, its own clock).`,
    '',
    `| report | asked for | ${manyText} | slowest period | ${fewText} | ratio | processor: ${manyText} | slowest period | ${fewText} | ratio | GROUP BY | DuckDB |`,
    `|---|---|${'--:|'.repeat(10)}`,
    ...rows,
    '',
    `${compared.toLocaleString('en')} of these reports were compared with a recount of their leads, row by row, to the cent: no difference.`,
    '',
    `Aim: at most ${limits.ms} ms, and at most ${limits.ratio} of the time at a tenth of the leads. ` +
      `By elapsed time ${formatResult(lines, 'ms')}; by processor time ${formatResult(lines, 'cpu')}. ` +
      `At least ${rounds} alternating rounds; load ${load.map((value) => value.toFixed(1)).join(' before, ')} after.`,
    '',
  ].join('\n')
}

function formatResult(lines: readonly ReportLine[], unit: keyof Duration): string {
  const missedCount = lines.filter((line) => !isMet(unit)(line)).length
  const getWorst = (pick: (line: ReportLine) => Duration) =>
    Math.max(...lines.map((line) => pick(line)[unit]))
  const worstText = `at most ${formatMs(getWorst(({ slowest }) => slowest))} ms and ${getWorst(({ ratio }) => ratio).toFixed(2)}`
  return `${missedCount === 0 ? 'met' : `missed in ${missedCount} of ${lines.length}`}, ${worstText}`
}
