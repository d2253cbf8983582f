import { realpathSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findServerProcesses } from '@karvon/server/platform/database/embedded.orphan.ts'
import type { Part } from './part.ts'
import { newFolder, signIn, startProduct, type Product } from './product.ts'
import { prepare } from './writers.deeds.ts'
import { Writers } from './writers.ts'
import { verify } from './writers.verify.ts'

/** Kills of each of the two. */
const kills = { long: 50, short: 2 }

/** The product with its own PostgreSQL, either of them ended with no word while people write. */
export const killsPart: Part = {
  name: 'kills',
  about:
    'kill -9 of the product and of its PostgreSQL loses nothing that was acknowledged and does nothing twice',
  async run(extent, say) {
    await using folder = await newFolder()
    let product: Product = await startProduct(folder.path)
    await using end = new AsyncDisposableStack()
    end.defer(() => product.kill())
    const { port } = new URL(product.url)
    const cluster = path.join(realpathSync(folder.path), 'postgres', 'cluster')
    const ground = await prepare(product.url, await signIn(product.url))
    const writers = new Writers(() => [product.url], ground)
    await writers.start(6)
    const back: number[] = []
    for (let round = 1; round <= kills[extent] * 2; round += 1) {
      await writers.more(20)
      // Anywhere within a write.
      await sleep(Math.random() * 200)
      const began = performance.now()
      if (round % 2 === 0) {
        for (const pid of findServerProcesses(cluster)) process.kill(pid, 'SIGKILL')
      } else {
        await product.kill()
        product = await startProduct(folder.path, { PORT: port })
      }
      await writers.more(1)
      back.push(performance.now() - began)
      if (round % 10 === 0) say(`${round} kills, ${writers.done} acknowledged`)
    }
    await writers.stop()
    const { acknowledged, lost, twice, faults } = await verify(product.url, ground, writers)
    await product.stop()
    if (product.ended()?.code !== 0) faults.push(`The last stop was not in order:\n${product.printed()}`)
    return {
      figures: {
        'kill -9 of the product': kills[extent],
        'kill -9 of PostgreSQL': kills[extent],
        'changes acknowledged': acknowledged,
        'requests repeated': writers.repeats,
        'acknowledged and lost': lost,
        'applied twice': twice,
        'longest until the next acknowledgement, ms': Math.round(Math.max(...back)),
      },
      faults,
    }
  },
}
