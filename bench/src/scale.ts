import os from 'node:os'
import { computeSpread } from './figures.ts'
import { buildSegments } from './leads.segments.ts'
import { startLeadsProduct, type Duration, type LeadsProduct } from './reports.product.ts'
import { formatMs } from './reports.section.ts'
import { scaleCases, type ScaleCase } from './scale.cases.ts'
import type { BenchExtent, BenchResult, StandaloneBench } from './standalone.ts'

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
    const small = await measureAll(fewLeads, rounds)
    const large = await measureAll(leads, rounds)
    const lines = scaleCases.map((scaleCase, at): ScaleLine => {
      const [smallTime, largeTime] = [small.times[at], large.times[at]]
      if (smallTime === undefined || largeTime === undefined) throw new Error('A case was not measured')
      return { ...scaleCase, small: smallTime, large: largeTime }
    })
    return {
      text: formatScale(lines, { leads, rounds, load: [before, os.loadavg()[0] ?? 0] }),
      isMet: lines.every((line) => computeRatio(line, 'ms') <= limit.ratio),
      postgres: large.postgres,
    }
  },
}

async function measureAll(leads: number, rounds: number): Promise<{ times: Duration[]; postgres: string }> {
  const product = await startLeadsProduct(leads, console.log)
  try {
    await buildSegments(product.pool)
    const known = { admin: await findKnown(product, 'admin'), user: await findKnown(product, 'user') }
    const times: Duration[] = []
    for (const { scope, path, kind, description } of scaleCases) {
      const time = await measure(rounds, () => product.timePath(scope, path(known[scope])))
      console.log(`  ${leads.toLocaleString('en')} ${scope} ${kind} ${description}: ${formatMs(time.ms)} ms`)
      times.push(time)
    }
    const { rows } = await product.pool.query<{ server_version: string }>('show server_version')
    return { times, postgres: rows[0]?.server_version ?? '' }
  } finally {
    await product.stop()
  }
}

/** The number of leads that a person sees, and the newest one. */
async function findKnown(
  product: LeadsProduct,
  scope: 'admin' | 'user',
): Promise<{ total: number; lead: number }> {
  const answer = JSON.parse(await product.read(scope, `/api/${scope}/leads/`)) as {
    items: { id: number }[]
    meta: { total: number }
  }
  const [lead] = answer.items
  if (lead === undefined) throw new Error(`${scope} sees no leads`)
  return { total: answer.meta.total, lead: lead.id }
}

/** The median after one answer that is not measured. */
async function measure(rounds: number, time: () => Promise<Duration>): Promise<Duration> {
  await time()
  const times: Duration[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await time())
  return {
    ms: computeSpread(times.map(({ ms }) => ms)).median,
    cpu: computeSpread(times.map(({ cpu }) => cpu)).median,
  }
}

function formatScale(
  lines: readonly ScaleLine[],
  { leads, rounds, load }: { leads: number; rounds: number; load: readonly [number, number] },
): string {
  const [manyText, fewText] = [leads, fewLeads].map((count) => `${count.toLocaleString('en')} leads`)
  const rows = lines.map((line) => {
    const { scope, kind, description, large, small } = line
    const ratios = [computeRatio(line, 'ms'), computeRatio(line, 'cpu')].map((ratio) => ratio.toFixed(2))
    return `| ${scope} ${kind} | ${description} | ${[large.ms, small.ms].map(formatMs).join(' | ')} | ${ratios.join(' | ')} |`
  })
  const countMissed = (unit: keyof Duration) =>
    lines.filter((line) => computeRatio(line, unit) > limit.ratio).length
  return [
    '## scale',
    '',
    `Reports, lists, searches and questions from the request to the last byte, medians of ${rounds} in milliseconds, ` +
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
