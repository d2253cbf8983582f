import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './client.ts'
import type { Cluster } from '../../server/test/cluster.ts'
import { promote, startStandby } from '../../server/test/standby.ts'
import type { Part } from './part.ts'
import { createFolder, signIn, startProduct } from './product.ts'
import { startProxiedCluster } from './proxied-cluster.ts'
import type { Proxy } from './proxy.ts'
import { createWriterSetup } from './writers.requests.ts'
import { Writers } from './writers.ts'
import { verify } from './writers.verify.ts'

const rounds = { long: 6, short: 1 }
/** Longest time from the promotion until the product works, in milliseconds. */
const maxRecovery = 5000

/** Kills or isolates the primary and promotes its synchronous standby. */
export const failoverPart: Part = {
  name: 'failover',
  description: 'A failover to the synchronous standby loses nothing acknowledged.',
  async run(extent, log) {
    await using folder = await createFolder()
    await using cleanup = new AsyncDisposableStack()
    const { cluster, proxy, env } = await startProxiedCluster(folder.path, cleanup)
    let primary = cluster
    const product = await startProduct(path.join(folder.path, 'data'), env)
    cleanup.defer(() => product.kill())
    const setup = await createWriterSetup(product.url, await signIn(product.url))
    const writers = new Writers(() => [product.url], setup)
    await writers.start(6)
    const recoveryTimes: number[] = []
    const readyTimes: number[] = []
    for (let round = 1; round <= rounds[extent]; round += 1) {
      const standby = await startStandby(primary, path.join(folder.path, `node-${round}`))
      cleanup.defer(standby.kill)
      await writers.waitForAcknowledged(50)
      await sleep(Math.random() * 300)
      // Every second primary keeps running but is unreachable. Its late answers must not count.
      const isFrozen = round % 2 === 0
      if (isFrozen) proxy.freeze()
      else await primary.kill()
      await failOver(proxy, standby)
      const startedAt = performance.now()
      await writers.waitForAcknowledged(1)
      recoveryTimes.push(performance.now() - startedAt)
      readyTimes.push(await measureReadiness(product.url, startedAt))
      if (isFrozen) await primary.kill()
      primary = standby
      log(
        `${round} times, ${writers.acknowledgedCount} acknowledged, recovered after ${Math.round(recoveryTimes.at(-1) ?? 0)} ms`,
      )
    }
    await writers.waitForAcknowledged(50)
    await writers.stop()
    const { acknowledged, lost, duplicates, failures } = await verify(product.url, setup, writers)
    await product.stop()
    const slowest = Math.round(Math.max(...recoveryTimes))
    if (extent === 'long' && slowest > maxRecovery) failures.push(`The recovery took ${slowest} ms`)
    return {
      figures: {
        failovers: rounds[extent],
        'changes acknowledged': acknowledged,
        'requests repeated': writers.repeats,
        'acknowledged and lost': lost,
        'applied twice': duplicates,
        'longest recovery, ms': slowest,
        'longest until /readyz was 200, ms': Math.round(Math.max(...readyTimes)),
      },
      failures,
    }
  },
}

/** Promotes the standby and routes the address to it, as a cluster manager does. */
async function failOver(proxy: Proxy, standby: Cluster): Promise<void> {
  proxy.route(null)
  await promote(standby)
  proxy.route(standby.port)
}

async function measureReadiness(url: string, startedAt: number): Promise<number> {
  while ((await send(url, null, { method: 'GET', path: '/readyz' })).status !== 200) {
    if (performance.now() - startedAt > 60_000) throw new Error('/readyz was not 200 within a minute')
    await sleep(20)
  }
  return performance.now() - startedAt
}
