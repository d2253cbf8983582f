import os from 'node:os'
import { computeSpread } from './figures.ts'
import { buildSegments } from './leads.segments.ts'
import { startLeadsProduct, type Duration, type LeadsProduct } from './reports.product.ts'
import { formatMs } from './reports.section.ts'
import type { Scope } from './reports.cases.ts'
import { scaleCases, type KnownLeads, type ScaleCase } from './scale.cases.ts'
import type { BenchExtent, BenchResult, StandaloneBench } from './standalone.ts'
import { readPostgresVersion } from './databases.ts'

const fewLeads = 10_000_000
/** Largest ratio of a time to that at fewer leads. Times below `least` milliseconds count as `least`. */
const limit = { ratio: 1.5, least: 5 }

interface ScaleLine extends ScaleCase {
  readonly large: Duration
  readonly small: Duration
}

const computeRatio = ({ large, small }: ScaleLine, unit: keyof Duration): number =>
  Math.max(large[unit], limit.least) / Math.max(small[unit], limit.least)

/** Reports, lists, searches and questions over many leads, compared with the same over 10,000,000. */
export const scaleBench: StandaloneBench = {
  name: 'scale',
  async run({ rounds, leads = 50_000_000 }: BenchExtent): Promise<BenchResult> {
    const before = os.loadavg()[0] ?? 0
    const small = await start(fewLeads)
    try {
      const large = await start(leads)
      try {
        const lines: ScaleLine[] = []
        for (const scaleCase of scaleCases) {
          const line = await measure(scaleCase, [small, large], rounds)
          console.log(formatLine(line))
          lines.push(line)
        }
        return {
          text: formatScale(lines, { leads, rounds, load: [before, os.loadavg()[0] ?? 0] }),
          isMet: lines.every((line) => computeRatio(line, 'ms') <= limit.ratio),
          postgres: await readPostgresVersion(large.product.pool),
        }
      } finally {
        await large.product.stop()
      }
    } finally {
      await small.product.stop()
    }
  },
}

/** A product, and for each scope the number of leads that it sees and the newest one. */
interface Contender {
  product: LeadsProduct
  known: Record<Scope, KnownLeads>
}

async function start(leads: number): Promise<Contender> {
  const product = await startLeadsProduct(leads, console.log)
  try {
    await buildSegments(product.pool)
    return {
      product,
      known: { admin: await findKnown(product, 'admin'), user: await findKnown(product, 'user') },
    }
  } catch (error) {
    await product.stop()
    throw error
  }
}

/** Medians of alternating rounds. The first answer of both is not measured. */
async function measure(
  scaleCase: ScaleCase,
  contenders: readonly Contender[],
  rounds: number,
): Promise<ScaleLine> {
  const { scope, path } = scaleCase
  const times: Duration[][] = contenders.map(() => [])
  for (let round = 0; round <= rounds; round += 1)
    for (const [at, { product, known }] of contenders.entries()) {
      const time = await product.timePath(scope, path(known[scope]))
      if (round > 0) times[at]?.push(time)
    }
  const [smallTime, largeTime] = times.map((durations) => ({
    ms: computeSpread(durations.map(({ ms }) => ms)).median,
    cpu: computeSpread(durations.map(({ cpu }) => cpu)).median,
  }))
  if (smallTime === undefined || largeTime === undefined) throw new Error('A case was not measured')
  return { ...scaleCase, small: smallTime, large: largeTime }
}

async function findKnown(product: LeadsProduct, scope: Scope): Promise<KnownLeads> {
  const answer = JSON.parse(await product.read(scope, `/api/${scope}/leads/`)) as {
    items: { id: number }[]
    meta: { total: number }
  }
  const [lead] = answer.items
  if (lead === undefined) throw new Error(`${scope} sees no leads`)
  return { total: answer.meta.total, lead: lead.id }
}

function formatLine(line: ScaleLine): string {
  const { scope, kind, description, large, small } = line
  const ratios = [computeRatio(line, 'ms'), computeRatio(line, 'cpu')].map((ratio) => ratio.toFixed(2))
  return `| ${scope} ${kind} | ${description} | ${[large.ms, small.ms].map(formatMs).join(' | ')} | ${ratios.join(' | ')} |`
}

function formatScale(
  lines: readonly ScaleLine[],
  { leads, rounds, load }: { leads: number; rounds: number; load: readonly [number, number] },
): string {
  const [manyText, fewText] = [leads, fewLeads].map((count) => `${count.toLocaleString('en')} leads`)
  const rows = lines.map(formatLine)
  const countMissed = (unit: keyof Duration) =>
    lines.filter((line) => computeRatio(line, unit) > limit.ratio).length
  return [
    '## scale',
    '',
    `Reports, lists, searches and questions from the request to the last byte, medians of ${rounds} alternating rounds in milliseconds, ` +
      `and the ratios by the clock and of processor time in the product and PostgreSQL together. ` +
      `Times below ${limit.least} ms count as ${limit.least} ms.`,
    '',
    `| what | asked for | ${manyText} | ${fewText} | ratio | ratio by processor time |`,
    '|---|---|--:|--:|--:|--:|',
    ...rows,
    '',
    `Aim: at most ${limit.ratio} times. Of ${lines.length} cases ${countMissed('ms')} miss it by the clock, ` +
      `${countMissed('cpu')} by processor time. Load ${load.map((value) => value.toFixed(1)).join(' before, ')} after.`,
    '',
  ].join('\n')
}
