import { shape } from './leads.generate.queries.ts'
import type { Case } from './reports.cases.ts'
import { waiting, type Took } from './reports.desk.ts'
import type { Beside } from './reports.peers.ts'

/** Milliseconds of a report at the most, and of ten times the leads against its time at the fewer. */
const limits = { ms: 30, ratio: 1.3 }

/** By the clock and by the processor; medians, of `slowest` those of the slowest of its periods. */
export interface Line extends Case, Beside {
  large: Took
  slowest: Took
  small: Took
  ratio: Took
}

/** What the lines were taken with. */
export interface Measurement {
  leads: number
  rounds: number
  /** Reports that were compared with a recount. */
  compared: number
  duck: string
  /** Of the machine, before and after. */
  load: readonly [number, number]
}

export const isMet =
  (by: keyof Took) =>
  ({ slowest, ratio }: Line): boolean =>
    slowest[by] <= limits.ms && ratio[by] <= limits.ratio

export const show = (ms: number | null): string =>
  ms === null ? '' : ms >= 100 ? ms.toFixed(0) : ms.toFixed(1)

export function reportsSection(lines: readonly Line[], taken: Measurement): string {
  const { leads, rounds, compared, duck, load } = taken
  const [many, few] = [leads, leads / 10].map((each) => `${each.toLocaleString('en')} leads`)
  const rows = lines.map(({ scope, kind, asked, large, slowest, small, ratio, raw, duck: by }) => {
    const clock = [large.ms, slowest.ms, small.ms].map(show)
    const processor = [large.cpu, slowest.cpu, small.cpu].map(show)
    const figures = [...clock, ratio.ms.toFixed(2), ...processor, ratio.cpu.toFixed(2), show(raw), show(by)]
    return `| ${scope} ${kind} | ${asked} | ${figures.join(' | ')} |`
  })
  return [
    '## reports-10m',
    '',
    `Every report from the request to the last byte, over ${shape.days} days of ${shape.offers} offers and ` +
      `${shape.streams.toLocaleString('en')} streams, with ${waiting.toLocaleString('en')} changes that no total has yet: ` +
      `medians in milliseconds, by the clock and of processor time in the product and PostgreSQL together, which other ` +
      `work on the machine disturbs less. Beside it the GROUP BY over the leads, in PostgreSQL and in DuckDB (${duck}, its own clock).`,
    '',
    `| report | asked for | ${many} | slowest period | ${few} | ratio | processor: ${many} | slowest period | ${few} | ratio | GROUP BY | DuckDB |`,
    `|---|---|${'--:|'.repeat(10)}`,
    ...rows,
    '',
    `${compared.toLocaleString('en')} of these reports were compared with a recount of their leads, row by row, to the cent: no difference.`,
    '',
    `Aim: at most ${limits.ms} ms, and at most ${limits.ratio} of the time at a tenth of the leads. ` +
      `By the clock ${verdict(lines, 'ms')}; by the processor ${verdict(lines, 'cpu')}. ` +
      `At least ${rounds} rounds in turns; load ${load.map((each) => each.toFixed(1)).join(' before, ')} after.`,
    '',
  ].join('\n')
}

function verdict(lines: readonly Line[], by: keyof Took): string {
  const missed = lines.filter((line) => !isMet(by)(line)).length
  const worst = (pick: (line: Line) => Took) => Math.max(...lines.map((line) => pick(line)[by]))
  const most = `at most ${show(worst(({ slowest }) => slowest))} ms and ${worst(({ ratio }) => ratio).toFixed(2)}`
  return `${missed === 0 ? 'met' : `missed in ${missed} of ${lines.length}`}, ${most}`
}
