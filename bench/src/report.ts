import os from 'node:os'
import type { Bench } from './benches.ts'
import { isNoisy, computeRatios, computeSpread, type Spread } from './figures.ts'

/** The figures of one bench. */
export interface Measured {
  bench: Bench
  contenders: { name: string; figures: number[] }[]
}

const formatNumber = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))
const formatRange = ({ median, min, max }: Spread) =>
  `${formatNumber(median)} (${formatNumber(min)} to ${formatNumber(max)})`

/** The first contender's figure against the second's: median and range over the rounds, and whether it meets the aim. */
export function evaluate({ bench, contenders }: Measured): { ratio: Spread; isMet: boolean } {
  const ratio = computeSpread(computeRatios(contenders[0]?.figures ?? [], contenders[1]?.figures ?? []))
  const isMet = 'least' in bench.aim ? ratio.median >= bench.aim.least : ratio.median <= bench.aim.most
  return { ratio, isMet }
}

function formatAim({ aim }: Bench): string {
  return 'least' in aim ? `at least ${aim.least}` : `at most ${aim.most}`
}

/** Formats a bench as Markdown. Absolute figures depend on the machine. */
export function formatSection(measurement: Measured): string {
  const { bench, contenders } = measurement
  const { ratio, isMet } = evaluate(measurement)
  const rows = contenders.map(({ name, figures }) => `| ${name} | ${formatRange(computeSpread(figures))} |`)
  const noise = isNoisy(ratio) ? ' The rounds differ much, because the machine was busy.' : ''
  return [
    `## ${bench.name}`,
    '',
    `${bench.question}.`,
    '',
    `| | ${bench.unit}, median (range) |`,
    '|---|---|',
    ...rows,
    `| **ratio** | **${formatRange(ratio)}** |`,
    '',
    `Aim: ${formatAim(bench)}: ${isMet ? 'met' : 'missed'}, over ${contenders[0]?.figures.length ?? 0} alternating rounds.${noise}`,
    '',
  ].join('\n')
}

/** Describes the machine and its load. */
export function formatMachine(postgres: string, load: number): string {
  const [cpu] = os.cpus()
  return [
    `Node ${process.versions.node}, PostgreSQL ${postgres}, ${os.cpus().length} cores of ${cpu?.model.trim() ?? 'unknown kind'},`,
    `load ${load.toFixed(2)} before the start. Client, server and database share the cores, so ratios count, not absolute figures.`,
    '',
  ].join('\n')
}
