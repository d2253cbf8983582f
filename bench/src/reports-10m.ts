import os from 'node:os'
import type { Alone, Done, Extent } from './alone.ts'
import { openDuck } from './duckdb.ts'
import { ratios, spread } from './figures.ts'
import { cases, type Case } from './reports.cases.ts'
import { startLeadsDesk, type LeadsDesk, type Took } from './reports.desk.ts'
import { Peers } from './reports.peers.ts'
import { isMet, reportsSection, show, type Line } from './reports.section.ts'
import { alternate } from './rounds.ts'

/** Every report over every kind of period at many leads, against a tenth of them, a GROUP BY and DuckDB. */
export const reportsBench: Alone = {
  name: 'reports-10m',
  async run({ rounds, leads = 10_000_000 }: Extent): Promise<Done> {
    const open: { stop(): Promise<void> }[] = []
    const opened = <T extends { stop(): Promise<void> }>(what: T): T => {
      open.unshift(what)
      return what
    }
    try {
      const large = opened(await startLeadsDesk(leads, console.log))
      const small = opened(await startLeadsDesk(leads / 10, console.log))
      const duck = opened(await openDuck(large.pool, large.folder))
      const peers = new Peers(large, duck)
      const lines: Line[] = []
      await warmUp([large, small])
      const before = os.loadavg()[0] ?? 0
      for (const each of cases) {
        lines.push({ ...each, ...(await measure(each, rounds, large, small)), ...(await peers.count(each)) })
        console.log(`  ${each.scope} ${each.kind}, ${each.asked}: ${show(lines.at(-1)?.large.ms ?? null)} ms`)
      }
      const after = os.loadavg()[0] ?? 0
      const { rows } = await large.pool.query<{ server_version: string }>('show server_version')
      const taken = {
        leads,
        rounds,
        compared: peers.compared,
        duck: duck.version,
        load: [before, after] as const,
      }
      return {
        text: reportsSection(lines, taken),
        met: lines.every(isMet('ms')),
        postgres: rows[0]?.server_version ?? '',
      }
    } finally {
      for (const each of open) await each.stop()
    }
  },
}

/** The first answers of a process are slow: its code is not compiled yet, its statements are not prepared. */
async function warmUp(desks: readonly LeadsDesk[]): Promise<void> {
  for (const desk of desks)
    for (const { scope, kind, queries } of cases)
      for (const query of queries.slice(0, 3)) await desk.time(scope, kind, query)
}

/** In turns, so that what disturbs the machine disturbs both. */
async function measure({ kind, scope, queries }: Case, rounds: number, large: LeadsDesk, small: LeadsDesk) {
  // About as many requests whether they are for one period or for many.
  const turns = Math.max(5, Math.round(rounds / queries.length))
  const times = { large: [] as Took[], small: [] as Took[] }
  const slowest: Took = { ms: 0, cpu: 0 }
  for (const query of queries) {
    const [many = [], few = []] = await alternate(
      [large, small].map((desk) => ({ name: '', measure: () => desk.time(scope, kind, query) })),
      turns,
    )
    times.large.push(...many)
    times.small.push(...few)
    const own = mediansOf(many)
    slowest.ms = Math.max(slowest.ms, own.ms)
    slowest.cpu = Math.max(slowest.cpu, own.cpu)
  }
  const ratio = (by: keyof Took) =>
    spread(
      ratios(
        times.large.map((each) => each[by]),
        times.small.map((each) => each[by]),
      ),
    ).median
  return {
    large: mediansOf(times.large),
    slowest,
    small: mediansOf(times.small),
    ratio: { ms: ratio('ms'), cpu: ratio('cpu') },
  }
}

const mediansOf = (all: readonly Took[]): Took => ({
  ms: spread(all.map(({ ms }) => ms)).median,
  cpu: spread(all.map(({ cpu }) => cpu)).median,
})
