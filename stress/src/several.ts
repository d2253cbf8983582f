import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { allRows, must, read } from './client.ts'
import { databaseAt, newCluster } from './cluster.ts'
import type { Part } from './part.ts'
import { newFolder, signIn, startProduct, type Product } from './product.ts'
import { newProxy } from './proxy.ts'
import { prepare, type Ground } from './writers.deeds.ts'
import { Writers } from './writers.ts'
import { verify } from './writers.verify.ts'

const rounds = { long: 8, short: 1 }
const roles = { long: ['web', 'web', 'worker', 'worker'], short: ['web', 'web', 'worker'] }

/** Processes that serve people and others that work, on one database that goes and comes back. */
export const severalPart: Part = {
  name: 'several',
  about: 'Several processes on one database stay right through restarts, kills and orderly stops of each',
  async run(extent, say) {
    await using folder = await newFolder()
    await using end = new AsyncDisposableStack()
    const cluster = await newCluster(path.join(folder.path, 'node'))
    end.defer(cluster.kill)
    await cluster.start()
    const proxy = await newProxy(cluster.port)
    end.defer(proxy.close)
    const env = {
      DATABASE_URL: databaseAt(proxy.port),
      KARVON_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      KARVON_LOG: 'error',
    }
    const start = (role: string | undefined, port = '0') =>
      startProduct(path.join(folder.path, 'data'), { ...env, KARVON_PROCESS: role ?? '', PORT: port })
    // All at once on an empty database: one of them makes the tables and the first admin.
    const products: Product[] = await Promise.all(roles[extent].map((role) => start(role)))
    end.defer(async () => {
      for (const product of products) await product.kill()
    })
    const webs = () => products.slice(0, 2).map(({ url }) => url)
    const again = async (number: number) => {
      const { port } = new URL(products[number]?.url ?? '')
      products[number] = await start(roles[extent][number], port)
    }
    const faults: string[] = []
    const [first = '', second = ''] = webs()
    const ground = await prepare(second, await signIn(first))
    const writers = new Writers(webs, ground)
    await writers.start(6)
    const back: number[] = []
    for (let round = 1; round <= rounds[extent]; round += 1) {
      await writers.more(30)
      const began = performance.now()
      await cluster.stop()
      await cluster.start()
      await writers.more(1)
      back.push(performance.now() - began)
      await products[2]?.kill()
      const stopped = products[1]
      await stopped?.stop()
      if (stopped?.ended()?.code !== 0) faults.push(`An orderly stop ended with ${stopped?.ended()?.code}`)
      await Promise.all([again(1), again(2)])
      await writers.more(30)
      faults.push(...(await endedEverywhere(webs())))
      say(`round ${round}, ${writers.done} acknowledged`)
    }
    await writers.stop()
    const verified = await verify(first, ground, writers)
    faults.push(...verified.faults, ...(await folded(first, ground)))
    for (const product of products) {
      await product.stop()
      if (product.ended()?.code !== 0) faults.push(`The last stop was not in order:\n${product.printed()}`)
    }
    return {
      figures: {
        processes: roles[extent].join(', '),
        'restarts of PostgreSQL': rounds[extent],
        'changes acknowledged': verified.acknowledged,
        'acknowledged and lost': verified.lost,
        'applied twice': verified.twice,
        'longest restart until an acknowledgement, ms': Math.round(Math.max(...back)),
      },
      faults,
    }
  },
}

/** A session that is ended by one process is over in all. */
async function endedEverywhere(webs: readonly string[]): Promise<string[]> {
  const [first = '', second = ''] = webs
  const token = await signIn(first)
  const me = () => Promise.all(webs.map((url) => read(url, token, '/parcel/auth/me')))
  const before = await me()
  await must(second, token, { method: 'POST', path: '/parcel/auth/logout' })
  const after = await me()
  const told = [...before, ...after].map(({ status }) => status).join(' ')
  return told === '200 200 401 401' ? [] : [`A session before and after its end was answered ${told}`]
}

/** Whichever processes added the leads up, each is counted once. */
async function folded(url: string, { token, source }: Ground): Promise<string[]> {
  const path = `/api/admin/leads/?source_id=${source}`
  const there = (await allRows(url, token, path)).length
  for (let tries = 0; ; tries += 1) {
    const { meta } = await must<{ meta: { filtered_total: number } }>(url, token, { method: 'GET', path })
    if (meta.filtered_total === there) return []
    if (tries === 30) return [`There are ${there} leads, and ${meta.filtered_total} were counted`]
    await sleep(100)
  }
}
