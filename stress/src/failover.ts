import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './client.ts'
import { databaseAt, newCluster, type Cluster } from './cluster.ts'
import { promote, standbyOf } from './cluster.standby.ts'
import type { Part } from './part.ts'
import { newFolder, signIn, startProduct } from './product.ts'
import { newProxy, type Proxy } from './proxy.ts'
import { prepare } from './writers.deeds.ts'
import { Writers } from './writers.ts'
import { verify } from './writers.verify.ts'

const rounds = { long: 6, short: 1 }
/** Milliseconds in which the product is to work again once the new primary takes changes. */
const promised = 5000

/** A primary that is killed, or whose plug is pulled, and its synchronous standby that takes its place. */
export const failoverPart: Part = {
  name: 'failover',
  about: 'When a primary goes and its synchronous standby is promoted, nothing acknowledged is lost',
  async run(extent, say) {
    await using folder = await newFolder()
    await using end = new AsyncDisposableStack()
    let primary = await newCluster(path.join(folder.path, 'node-0'))
    end.defer(primary.kill)
    await primary.start()
    const proxy = await newProxy(primary.port)
    end.defer(proxy.close)
    const product = await startProduct(path.join(folder.path, 'data'), {
      DATABASE_URL: databaseAt(proxy.port),
      KARVON_LOG: 'error',
    })
    end.defer(() => product.kill())
    const ground = await prepare(product.url, await signIn(product.url))
    const writers = new Writers(() => [product.url], ground)
    await writers.start(6)
    const back: number[] = []
    const ready: number[] = []
    for (let round = 1; round <= rounds[extent]; round += 1) {
      const standby = await standbyOf(primary, path.join(folder.path, `node-${round}`))
      end.defer(standby.kill)
      await writers.more(50)
      await sleep(Math.random() * 300)
      // Every second primary goes on behind a cable that nobody hears: it must not be believed either.
      const vanishes = round % 2 === 0
      if (vanishes) proxy.freeze()
      else await primary.kill()
      await failOver(proxy, standby)
      const began = performance.now()
      await writers.more(1)
      back.push(performance.now() - began)
      ready.push(await untilReady(product.url, began))
      if (vanishes) await primary.kill()
      primary = standby
      say(`${round} times, ${writers.done} acknowledged, back after ${Math.round(back.at(-1) ?? 0)} ms`)
    }
    await writers.more(50)
    await writers.stop()
    const { acknowledged, lost, twice, faults } = await verify(product.url, ground, writers)
    await product.stop()
    const slowest = Math.round(Math.max(...back))
    if (extent === 'long' && slowest > promised)
      faults.push(`It took ${slowest} ms until a change was acknowledged`)
    return {
      figures: {
        'primaries gone': rounds[extent],
        'changes acknowledged': acknowledged,
        'requests repeated': writers.repeats,
        'acknowledged and lost': lost,
        'applied twice': twice,
        'longest until a change was acknowledged, ms': slowest,
        'longest until /readyz was 200, ms': Math.round(Math.max(...ready)),
      },
      faults,
    }
  },
}

/** What a manager of clusters does: the standby becomes the primary, then the address leads there. */
async function failOver(proxy: Proxy, standby: Cluster): Promise<void> {
  proxy.lead(null)
  await promote(standby)
  proxy.lead(standby.port)
}

async function untilReady(url: string, began: number): Promise<number> {
  while ((await send(url, null, { method: 'GET', path: '/readyz' })).status !== 200) {
    if (performance.now() - began > 60_000) throw new Error('/readyz was not 200 within a minute')
    await sleep(20)
  }
  return performance.now() - began
}
