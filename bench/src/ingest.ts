import type { StandaloneBench, BenchResult, BenchExtent } from './standalone.ts'
import { isNoisy, computeRatios, computeSpread, type Spread } from './figures.ts'
import { Batches, batchSize, mixes, writers, type Mix } from './ingest.batches.ts'
import { openProductWriter, openPlainWriter, type LeadWriter } from './ingest.writers.ts'
import { openLeadsCluster } from './leads.cluster.ts'
import { canReadTimes, listChildren, readTimesByProcess, sumBetween } from './processor.ts'
import { measureAlternately } from './rounds.ts'
import { withDatabaseCopies } from './databases.ts'

/** Batches of each writer in one round. */
const batchesPerRound = 10
const aim = 0.5

/** Leads per second of elapsed time and of processor time. */
interface Speed {
  clock: number
  processor: number
}

interface Result {
  mix: Mix
  product: Spread
  plain: Spread
  ratio: Spread
  /** The ratio by processor time. */
  processorRatio: Spread
}

interface Contenders {
  ingest: (writer: LeadWriter, mix: Mix) => Promise<Speed>
  product: LeadWriter
  plain: LeadWriter
}

/** Leads per second that the product ingests with exact reports, compared with plain upserts into a table. */
export const ingestBench: StandaloneBench = {
  name: 'ingest',
  async run({ rounds, leads = 1_000_000 }: BenchExtent): Promise<BenchResult> {
    const cluster = await openLeadsCluster(leads, console.log)
    try {
      return await withDatabaseCopies(
        cluster.url,
        ['ingest_product', 'ingest_plain'],
        async ([productUrl = '', plainUrl = '']) => {
          const product = await openProductWriter(productUrl)
          const plain = await openPlainWriter(plainUrl)
          try {
            const batches = await Batches.load(plain.pool)
            await ingestSingleLeads(product, batches)
            const ingest = (writer: LeadWriter, mix: Mix) => measureSpeed(writer, mix, batches, cluster.pid())
            // The first use of each page of a new copy is slow.
            for (const mix of Object.keys(mixes) as Mix[])
              for (const writer of [product, plain]) await ingest(writer, mix)
            const lines: Result[] = []
            const pairCount = Math.ceil(rounds / 2)
            for (const mix of Object.keys(mixes) as Mix[]) {
              console.log(`  ${mix}`)
              lines.push(await measure(mix, pairCount, { ingest, product, plain }))
            }
            console.log('  recount')
            const { deadlocks, differing, rows, postgres } = await product.check()
            const isMet =
              lines.every(({ ratio }) => ratio.median >= aim) && deadlocks === 0 && differing === 0
            return {
              text: formatSection(lines, pairCount, { leads, deadlocks, differing, rows, isMet }),
              isMet,
              postgres,
            }
          } finally {
            await product.close()
            await plain.close()
          }
        },
      )
    } finally {
      await cluster.stop()
    }
  },
}

/** Changes single leads as postbacks do, on each connection. PostgreSQL keeps the plans of triggers from these changes. */
async function ingestSingleLeads(writer: LeadWriter, batches: Batches): Promise<void> {
  for (let round = 0; round < 8; round += 1)
    await Promise.all(
      Array.from({ length: writers }, (_, at) => {
        const { sourceId, leads } = batches.batch('changed leads', at, writer.serial)
        return writer.ingest({ sourceId, leads: leads.slice(round, round + 1) })
      }),
    )
  writer.serial += 1
}

async function measure(mix: Mix, pairCount: number, { ingest, product, plain }: Contenders): Promise<Result> {
  const [a = [], b = []] = await measureAlternately(
    [product, plain].map((writer) => ({ name: '', measure: () => ingest(writer, mix) })),
    pairCount,
  )
  const pick = (unit: keyof Speed) => [a.map((speed) => speed[unit]), b.map((speed) => speed[unit])] as const
  return {
    mix,
    product: computeSpread(pick('clock')[0]),
    plain: computeSpread(pick('clock')[1]),
    ratio: computeSpread(computeRatios(...pick('clock'))),
    processorRatio: computeSpread(computeRatios(...pick('processor'))),
  }
}

/** Measures from the first batch of all writers until the last is ingested and folded. */
async function measureSpeed(
  writer: LeadWriter,
  mix: Mix,
  batches: Batches,
  postgres: number,
): Promise<Speed> {
  const firstSerial = writer.serial
  writer.serial += batchesPerRound
  const batchLists = Array.from({ length: writers }, (_, writer) =>
    Array.from({ length: batchesPerRound }, (_, i) => batches.batch(mix, writer, firstSerial + i)),
  )
  const usedBefore = readTimesByProcess([process.pid, ...listChildren(postgres)])
  const startedAt = performance.now()
  await Promise.all(
    batchLists.map(async (list) => {
      for (const batch of list) await writer.ingest(batch)
    }),
  )
  await writer.fold()
  const leads = writers * batchesPerRound * batchSize
  const clock = (leads * 1000) / (performance.now() - startedAt)
  const processorMs = sumBetween(usedBefore, readTimesByProcess([process.pid, ...listChildren(postgres)]))
  return { clock, processor: canReadTimes ? (leads * 1000) / processorMs : Number.NaN }
}

const format = ({ median, min, max }: Spread, digits: number) =>
  `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`

function formatSection(
  lines: readonly Result[],
  pairCount: number,
  totals: { leads: number; deadlocks: number; differing: number; rows: number; isMet: boolean },
): string {
  const noise = lines.some(({ ratio }) => isNoisy(ratio))
    ? ' The rounds differ much, because the machine was busy.'
    : ''
  return [
    '## ingest',
    '',
    `Leads per second that ${writers} writers ingest in parallel, ${batchSize.toLocaleString('en')} per batch, with history and until every ` +
      `report’s totals include them, compared with a plain upsert of the same resolved batches into the same table ` +
      `(${totals.leads.toLocaleString('en')} leads, same indexes and references) without triggers.`,
    '',
    '| batches of | Karvon, median (range) | plain upsert | ratio | ratio by processor time |',
    '|---|--:|--:|--:|--:|',
    ...lines.map(
      ({ mix, product, plain, ratio, processorRatio }) =>
        `| ${mix} | ${format(product, 0)} | ${format(plain, 0)} | ${format(ratio, 2)} | ${format(processorRatio, 2)} |`,
    ),
    '',
    `Deadlocks: ${totals.deadlocks}. Totals that differ from a recount of the leads: ${totals.differing} of ` +
      `${totals.rows.toLocaleString('en')}, of every span.`,
    '',
    `Aim: a ratio of at least ${aim}, no deadlock, no difference: ${totals.isMet ? 'met' : 'missed'}, over ${pairCount} alternating rounds.${noise}`,
    '',
  ].join('\n')
}
