import os from 'node:os'
import type { StandaloneBench, BenchResult, BenchExtent } from './standalone.ts'
import { openDuckDb } from './duckdb.ts'
import { computeRatios, computeSpread } from './figures.ts'
import { cases, type Case } from './reports.cases.ts'
import { startLeadsProduct, type LeadsProduct, type Duration } from './reports.product.ts'
import { Peers } from './reports.peers.ts'
import { isMet, formatReports, formatMs, type ReportLine } from './reports.section.ts'
import { measureAlternately } from './rounds.ts'
import { readPostgresVersion } from './databases.ts'

/** Every report over every kind of period, compared with a tenth of the leads, with GROUP BY and with DuckDB. */
export const reportsBench: StandaloneBench = {
  name: 'reports-10m',
  async run({ rounds, leads = 10_000_000 }: BenchExtent): Promise<BenchResult> {
    const open: { stop(): Promise<void> }[] = []
    const keepOpen = <T extends { stop(): Promise<void> }>(product: T): T => {
      open.unshift(product)
      return product
    }
    try {
      const large = keepOpen(await startLeadsProduct(leads, console.log))
      const small = keepOpen(await startLeadsProduct(leads / 10, console.log))
      const duck = keepOpen(await openDuckDb(large.pool, large.folder))
      const peers = new Peers(large, duck)
      const lines: ReportLine[] = []
      await warmUp([large, small])
      const before = os.loadavg()[0] ?? 0
      for (const reportCase of cases) {
        lines.push({
          ...reportCase,
          ...(await measure(reportCase, rounds, large, small)),
          ...(await peers.count(reportCase)),
        })
        console.log(
          `  ${reportCase.scope} ${reportCase.kind}, ${reportCase.description}: ${formatMs(lines.at(-1)?.large.ms ?? null)} ms`,
        )
      }
      const after = os.loadavg()[0] ?? 0
      const measurement = {
        leads,
        rounds,
        compared: peers.comparedCount,
        duck: duck.version,
        load: [before, after] as const,
      }
      return {
        text: formatReports(lines, measurement),
        isMet: lines.every(isMet('ms')),
        postgres: await readPostgresVersion(large.pool),
      }
    } finally {
      for (const product of open) await product.stop()
    }
  },
}

/** The first answers of a process are slow, because its code is not compiled and its statements are not prepared. */
async function warmUp(products: readonly LeadsProduct[]): Promise<void> {
  for (const product of products)
    for (const { scope, kind, queries } of cases)
      for (const query of queries.slice(0, 3)) await product.time(scope, kind, query)
}

/** Measures both products alternately, so that other load affects both. */
async function measure(
  { kind, scope, queries }: Case,
  rounds: number,
  large: LeadsProduct,
  small: LeadsProduct,
) {
  // About the same number of requests for one period and for many.
  const requestCount = Math.max(5, Math.round(rounds / queries.length))
  const times = { large: [] as Duration[], small: [] as Duration[] }
  const slowest: Duration = { ms: 0, cpu: 0 }
  for (const query of queries) {
    const [manyRounds = [], fewRounds = []] = await measureAlternately(
      [large, small].map((product) => ({ name: '', measure: () => product.time(scope, kind, query) })),
      requestCount,
    )
    times.large.push(...manyRounds)
    times.small.push(...fewRounds)
    const ownMedians = getMedians(manyRounds)
    slowest.ms = Math.max(slowest.ms, ownMedians.ms)
    slowest.cpu = Math.max(slowest.cpu, ownMedians.cpu)
  }
  const ratio = (by: keyof Duration) =>
    computeSpread(
      computeRatios(
        times.large.map((duration) => duration[by]),
        times.small.map((duration) => duration[by]),
      ),
    ).median
  return {
    large: getMedians(times.large),
    slowest,
    small: getMedians(times.small),
    ratio: { ms: ratio('ms'), cpu: ratio('cpu') },
  }
}

const getMedians = (durations: readonly Duration[]): Duration => ({
  ms: computeSpread(durations.map(({ ms }) => ms)).median,
  cpu: computeSpread(durations.map(({ cpu }) => cpu)).median,
})
