import { realpathSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { killProcesses } from '@karvon/testkit/kill-processes.ts'
import { findServerProcesses } from '@karvon/server/platform/database/embedded.orphan.ts'
import type { Part } from './part.ts'
import { createFolder, signIn, startProduct } from './product.ts'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { createWriterSetup } from './writers.requests.ts'
import { Writers } from './writers.ts'
import { verify } from './writers.verify.ts'

/** Kills of the product and of PostgreSQL, each. */
const killCounts = { long: 50, short: 2 }

/** Kills the product or its embedded PostgreSQL during writes. */
export const killsPart: Part = {
  name: 'kills',
  description: 'Kills (-9) of the product and of PostgreSQL lose nothing acknowledged and do nothing twice.',
  async run(extent, log) {
    await using folder = await createFolder()
    let product: NodeProcess = await startProduct(folder.path)
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => product.kill())
    const { port } = new URL(product.url)
    const cluster = path.join(realpathSync(folder.path), 'postgres', 'cluster')
    const setup = await createWriterSetup(product.url, await signIn(product.url))
    const writers = new Writers(() => [product.url], setup)
    await writers.start(6)
    const recoveryTimes: number[] = []
    for (let round = 1; round <= killCounts[extent] * 2; round += 1) {
      await writers.waitForAcknowledged(20)
      // At any moment of a write.
      await sleep(Math.random() * 200)
      const startedAt = performance.now()
      if (round % 2 === 0) {
        killProcesses(findServerProcesses(cluster))
      } else {
        await product.kill()
        product = await startProduct(folder.path, { PORT: port })
      }
      await writers.waitForAcknowledged(1)
      recoveryTimes.push(performance.now() - startedAt)
      if (round % 10 === 0) log(`${round} kills, ${writers.acknowledgedCount} acknowledged`)
    }
    await writers.stop()
    const { acknowledged, lost, duplicates, failures } = await verify(product.url, setup, writers)
    await product.stop()
    if (product.end?.code !== 0) failures.push(`The last stop was not graceful:\n${product.output}`)
    return {
      figures: {
        'kill -9 of the product': killCounts[extent],
        'kill -9 of PostgreSQL': killCounts[extent],
        'changes acknowledged': acknowledged,
        'requests repeated': writers.repeats,
        'acknowledged and lost': lost,
        'applied twice': duplicates,
        'longest recovery, ms': Math.round(Math.max(...recoveryTimes)),
      },
      failures,
    }
  },
}
