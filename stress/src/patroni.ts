import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Extent, Part } from './part.ts'
import { PatroniCluster, missingPatroni, type PatroniNode } from './patroni.cluster.ts'
import { WebLoad } from './patroni.load.ts'
import { createFolder, runCheck, signIn, startProduct } from './product.ts'
import { createWriterSetup } from './writers.requests.ts'
import { verify } from './writers.verify.ts'

const rounds: Record<Extent, number> = { long: 20, short: 2 }
/** Longest time from a promotion until each web makes a change, in milliseconds. */
const maxReturn = 2000
/** Longest time from a promotion until the worker has folded what was stored then, in milliseconds. */
const maxFold = 60_000

/** Switches over and kills the primary of a cluster of Patroni in turn, with two webs and a worker under load. */
export const patroniPart: Part = {
  name: 'patroni',
  description:
    'A switchover by Patroni and a kill of the primary lose nothing acknowledged. All webs answer 503 meanwhile and change data again after the promotion.',
  missing: missingPatroni,
  async run(extent, log) {
    await using folder = await createFolder()
    await using cleanup = new AsyncDisposableStack()
    const cluster = await PatroniCluster.start(path.join(folder.path, 'cluster'), 3, cleanup)
    const data = path.join(folder.path, 'data')
    const env = {
      DATABASE_URL: cluster.url,
      KARVON_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      KARVON_LOG: 'error',
    }
    const start = async (role: string) => {
      const product = await startProduct(data, { ...env, KARVON_PROCESS: role, KARVON_DRAIN_SECONDS: '0' })
      cleanup.defer(() => product.kill())
      return product
    }
    const webs = await Promise.all([start('web'), start('web')])
    const worker = await start('worker')
    const setup = await createWriterSetup(webs[0].url, await signIn(webs[0].url))
    const loads = webs.map(({ url }) => new WebLoad(url, setup))
    for (const load of loads) await load.start()

    const failures: string[] = []
    const returnTimes: number[] = []
    const foldTimes: number[] = []
    for (let round = 1; round <= rounds[extent]; round += 1) {
      const { primary, standby } = await cluster.waitUntilComplete()
      for (const { writers } of loads) await writers.waitForAcknowledged(50)
      await sleep(Math.random() * 300)
      const isKill = round % 2 === 0
      const startedAt = performance.now()
      const [{ after, before }] = await Promise.all([
        cluster.waitForPromotion(standby),
        isKill ? primary.kill() : cluster.switchOver(primary, standby),
      ])
      const times = await Promise.all(loads.map((load) => load.measureReturn(before)))
      returnTimes.push(...times)
      foldTimes.push(await measureFold(cluster, standby, before))
      const others = loads.flatMap((load) => load.findOthersThan503(startedAt, after))
      if (others.length > 0) failures.push(`Without a primary, requests were answered ${others.join()}`)
      if (isKill) primary.start()
      log(
        `${round} ${isKill ? 'kill' : 'switchover'}, back after ${times.map(Math.round).join(' and ')} ms, folded after ${Math.round(foldTimes.at(-1) ?? 0)} ms`,
      )
    }
    // The node that was killed last returns. Until then its programs write into the folder.
    await cluster.waitUntilComplete()
    for (const { writers } of loads) await writers.waitForAcknowledged(50)
    for (const load of loads) await load.stop()

    const totals = { acknowledged: 0, lost: 0, duplicates: 0 }
    for (const load of loads) {
      const verification = await verify(load.url, setup, load.writers)
      totals.acknowledged += verification.acknowledged
      totals.lost += verification.lost
      totals.duplicates += verification.duplicates
      failures.push(...verification.failures, ...load.failures)
    }
    failures.push(...(await runCheck(data, env)))
    for (const product of [...webs, worker]) await product.stop()
    const slowest = Math.max(...returnTimes)
    if (extent === 'long' && slowest > maxReturn)
      failures.push(`A web was back ${Math.round(slowest)} ms after the promotion`)
    return {
      figures: {
        'switchovers and kills': rounds[extent],
        'changes acknowledged': totals.acknowledged,
        'acknowledged and lost': totals.lost,
        'applied twice': totals.duplicates,
        'answers by status': formatCounts(loads),
        'slowest answer, ms': Math.round(Math.max(...loads.map((load) => load.slowestAnswer))),
        'longest time without a change, ms': Math.round(Math.max(...loads.map((load) => load.longestPause))),
        'from the promotion to the first change of each web, median ms': Math.round(findMedian(returnTimes)),
        'the same, longest ms': Math.round(slowest),
        'from the promotion until the deltas of then are folded, median ms': Math.round(
          findMedian(foldTimes),
        ),
        'the same for deltas, longest ms': Math.round(Math.max(...foldTimes)),
      },
      failures,
    }
  },
}

/** Milliseconds from the promotion until the worker has folded the deltas that the new primary had then. */
async function measureFold(
  cluster: PatroniCluster,
  primary: PatroniNode,
  promotedAt: number,
): Promise<number> {
  const [newest] = await cluster.execute<{ id: string | null }>(
    primary,
    'select max(id)::text as id from lead_deltas',
  )
  const waiting = `select from lead_deltas where id <= ${newest?.id ?? 0} limit 1`
  while ((await cluster.execute(primary, waiting)).length > 0) {
    if (performance.now() - promotedAt > maxFold)
      throw new Error('The worker did not fold deltas after the promotion')
    await sleep(50)
  }
  return performance.now() - promotedAt
}

function formatCounts(loads: readonly WebLoad[]): string {
  const counts = new Map<number, number>()
  for (const { status } of loads.flatMap(({ answers }) => answers))
    counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${status}: ${count.toLocaleString('en')}`).join(', ')
}

function findMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
