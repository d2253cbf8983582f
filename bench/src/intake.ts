import type { Alone, Done, Extent } from './alone.ts'
import { isNoisy, ratios, spread, type Spread } from './figures.ts'
import { Batches, batchSize, mixes, writers, type Mix } from './intake.batches.ts'
import { withCopies } from './intake.databases.ts'
import { openOwn, openPlain, type Taker } from './intake.takers.ts'
import { openLeads } from './leads.cluster.ts'
import { canRead, childrenOf, exactTimes, timeBetween } from './processor.ts'
import { alternate } from './rounds.ts'

/** Batches of a writer in one round. */
const batchesARound = 10
const aim = 0.5

/** Leads a second by the clock, and by the processor's. */
interface Speed {
  clock: number
  processor: number
}

interface Line {
  mix: Mix
  own: Spread
  plain: Spread
  ratio: Spread
  /** By processor time. */
  work: Spread
}

interface Sides {
  take: (taker: Taker, mix: Mix) => Promise<Speed>
  own: Taker
  plain: Taker
}

/** Leads a second into exact reports against the same upserts into a table that nothing follows. */
export const intakeBench: Alone = {
  name: 'intake',
  async run({ rounds, leads = 1_000_000 }: Extent): Promise<Done> {
    const cluster = await openLeads(leads, console.log)
    try {
      return await withCopies(
        cluster.url,
        ['intake_own', 'intake_plain'],
        async ([ownUrl = '', plainUrl = '']) => {
          const own = await openOwn(ownUrl)
          const plain = await openPlain(plainUrl)
          try {
            const batches = await Batches.over(plain.pool)
            const take = (taker: Taker, mix: Mix) => speed(taker, mix, batches, cluster.pid())
            // A fresh copy is slow until its pages were touched.
            for (const mix of Object.keys(mixes) as Mix[])
              for (const taker of [own, plain]) await take(taker, mix)
            const lines: Line[] = []
            const turns = Math.ceil(rounds / 2)
            for (const mix of Object.keys(mixes) as Mix[]) {
              console.log(`  ${mix}`)
              lines.push(await measure(mix, turns, { take, own, plain }))
            }
            console.log('  recount')
            const { deadlocks, differing, rows, postgres } = await own.judge()
            const met = lines.every(({ ratio }) => ratio.median >= aim) && deadlocks === 0 && differing === 0
            return { text: section(lines, turns, { leads, deadlocks, differing, rows, met }), met, postgres }
          } finally {
            await own.close()
            await plain.close()
          }
        },
      )
    } finally {
      await cluster.stop()
    }
  },
}

async function measure(mix: Mix, turns: number, { take, own, plain }: Sides): Promise<Line> {
  const [a = [], b = []] = await alternate(
    [own, plain].map((taker) => ({ name: '', measure: () => take(taker, mix) })),
    turns,
  )
  const of = (by: keyof Speed) => [a.map((each) => each[by]), b.map((each) => each[by])] as const
  return {
    mix,
    own: spread(of('clock')[0]),
    plain: spread(of('clock')[1]),
    ratio: spread(ratios(...of('clock'))),
    work: spread(ratios(...of('processor'))),
  }
}

/** From the first batch of all writers until the last is in, and nothing waits to be folded. */
async function speed(taker: Taker, mix: Mix, batches: Batches, postgres: number): Promise<Speed> {
  const first = taker.serial
  taker.serial += batchesARound
  const all = Array.from({ length: writers }, (_, writer) =>
    Array.from({ length: batchesARound }, (_, i) => batches.batch(mix, writer, first + i)),
  )
  const used = exactTimes([process.pid, ...childrenOf(postgres)])
  const start = performance.now()
  await Promise.all(
    all.map(async (own) => {
      for (const batch of own) await taker.take(batch)
    }),
  )
  await taker.drain()
  const leads = writers * batchesARound * batchSize
  const clock = (leads * 1000) / (performance.now() - start)
  const spent = timeBetween(used, exactTimes([process.pid, ...childrenOf(postgres)]))
  return { clock, processor: canRead ? (leads * 1000) / spent : Number.NaN }
}

const show = ({ median, min, max }: Spread, digits: number) =>
  `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`

function section(
  lines: readonly Line[],
  turns: number,
  found: { leads: number; deadlocks: number; differing: number; rows: number; met: boolean },
): string {
  const noise = lines.some(({ ratio }) => isNoisy(ratio))
    ? ' The rounds differ much: the machine was busy with something else.'
    : ''
  return [
    '## intake',
    '',
    `Leads a second that ${writers} writers at once take in, ${batchSize.toLocaleString('en')} a batch, with history and until every ` +
      `report’s totals hold them, against a plain upsert of the same resolved batches into the same table ` +
      `(${found.leads.toLocaleString('en')} leads, same indexes and references) that nothing follows.`,
    '',
    '| batches of | Karvon, median (range) | plain upsert | ratio | ratio by processor time |',
    '|---|--:|--:|--:|--:|',
    ...lines.map(
      ({ mix, own, plain, ratio, work }) =>
        `| ${mix} | ${show(own, 0)} | ${show(plain, 0)} | ${show(ratio, 2)} | ${show(work, 2)} |`,
    ),
    '',
    `Deadlocks: ${found.deadlocks}. Totals that differ from a recount of the leads: ${found.differing} of ` +
      `${found.rows.toLocaleString('en')}, of every span.`,
    '',
    `Aim: a ratio of at least ${aim}, no deadlock, no difference: ${found.met ? 'met' : 'missed'}, over ${turns} rounds in turns.${noise}`,
    '',
  ].join('\n')
}
