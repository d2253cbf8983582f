import os from 'node:os'
import type { Bench } from './benches.ts'
import { isNoisy, ratios, spread, type Spread } from './figures.ts'

/** What one bench came to. */
export interface Outcome {
  bench: Bench
  contenders: { name: string; figures: number[] }[]
}

const show = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))
const range = ({ median, min, max }: Spread) => `${show(median)} (${show(min)} to ${show(max)})`

/** The first contender's figure against the second's: median and range over the rounds, and whether the aim is met. */
export function verdict({ bench, contenders }: Outcome): { ratio: Spread; met: boolean } {
  const ratio = spread(ratios(contenders[0]?.figures ?? [], contenders[1]?.figures ?? []))
  const met = 'least' in bench.aim ? ratio.median >= bench.aim.least : ratio.median <= bench.aim.most
  return { ratio, met }
}

function aimText({ aim }: Bench): string {
  return 'least' in aim ? `at least ${aim.least}` : `at most ${aim.most}`
}

/** A Markdown section of one bench. Absolute figures stand for the reader’s feel only: they belong to this machine. */
export function section(outcome: Outcome): string {
  const { bench, contenders } = outcome
  const { ratio, met } = verdict(outcome)
  const rows = contenders.map(({ name, figures }) => `| ${name} | ${range(spread(figures))} |`)
  const noise = isNoisy(ratio) ? ' The rounds differ much: the machine was busy with something else.' : ''
  return [
    `## ${bench.name}`,
    '',
    `${bench.question}.`,
    '',
    `| | ${bench.unit}, median (range) |`,
    '|---|---|',
    ...rows,
    `| **ratio** | **${range(ratio)}** |`,
    '',
    `Aim: ${aimText(bench)}: ${met ? 'met' : 'missed'}, over ${contenders[0]?.figures.length ?? 0} rounds in turns.${noise}`,
    '',
  ].join('\n')
}

/** What the figures were taken on. */
export function machine(postgres: string, load: number): string {
  const [cpu] = os.cpus()
  return [
    `Node ${process.versions.node}, PostgreSQL ${postgres}, ${os.cpus().length} cores of ${cpu?.model.trim() ?? 'an unknown kind'},`,
    `load ${load.toFixed(2)} before the start. Client, server and database share the cores, so ratios count, not absolute figures.`,
    '',
  ].join('\n')
}
