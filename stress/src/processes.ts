import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readAllRows, sendOrThrow, getWithRetry } from './client.ts'
import type { Part } from './part.ts'
import { createFolder, signIn, startProduct } from './product.ts'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { startProxiedCluster } from './proxied-cluster.ts'
import { createWriterSetup, type WriterSetup } from './writers.requests.ts'
import { Writers } from './writers.ts'
import { verify } from './writers.verify.ts'

const rounds = { long: 8, short: 1 }
const roles = { long: ['web', 'web', 'worker', 'worker'], short: ['web', 'web', 'worker'] }

/** Restarts, kills and stops web and worker processes and their shared database. */
export const processesPart: Part = {
  name: 'processes',
  description: 'Several processes on one database stay correct through restarts, kills and stops of each.',
  async run(extent, log) {
    await using folder = await createFolder()
    await using cleanup = new AsyncDisposableStack()
    const { cluster, env } = await startProxiedCluster(folder.path, cleanup)
    const start = (role: string | undefined, address: { PORT?: string } = {}) =>
      startProduct(path.join(folder.path, 'data'), { ...env, KARVON_PROCESS: role ?? '', ...address })
    // All start at once on an empty database. One of them creates the tables and the first admin.
    const products: NodeProcess[] = await Promise.all(roles[extent].map((role) => start(role)))
    cleanup.defer(async () => {
      for (const product of products) await product.kill()
    })
    const webUrls = () => products.slice(0, 2).map(({ url }) => url)
    const restart = async (number: number) => {
      const { port } = new URL(products[number]?.url ?? '')
      products[number] = await start(roles[extent][number], { PORT: port })
    }
    const failures: string[] = []
    const [first = '', second = ''] = webUrls()
    const setup = await createWriterSetup(second, await signIn(first))
    const writers = new Writers(webUrls, setup)
    await writers.start(6)
    const recoveryTimes: number[] = []
    for (let round = 1; round <= rounds[extent]; round += 1) {
      await writers.waitForAcknowledged(30)
      const startedAt = performance.now()
      await cluster.stop()
      await cluster.start()
      await writers.waitForAcknowledged(1)
      recoveryTimes.push(performance.now() - startedAt)
      await products[2]?.kill()
      const stoppedProduct = products[1]
      await stoppedProduct?.stop()
      if (stoppedProduct?.end?.code !== 0)
        failures.push(`A graceful stop ended with ${stoppedProduct?.end?.code}`)
      await Promise.all([restart(1), restart(2)])
      await writers.waitForAcknowledged(30)
      failures.push(...(await checkLogout(webUrls())))
      log(`round ${round}, ${writers.acknowledgedCount} acknowledged`)
    }
    await writers.stop()
    const verification = await verify(first, setup, writers)
    failures.push(...verification.failures, ...(await checkLeadCount(first, setup)))
    for (const product of products) {
      await product.stop()
      if (product.end?.code !== 0) failures.push(`The last stop was not graceful:\n${product.output}`)
    }
    return {
      figures: {
        processes: roles[extent].join(', '),
        'restarts of PostgreSQL': rounds[extent],
        'changes acknowledged': verification.acknowledged,
        'acknowledged and lost': verification.lost,
        'applied twice': verification.duplicates,
        'longest recovery, ms': Math.round(Math.max(...recoveryTimes)),
      },
      failures,
    }
  },
}

/** Checks that a session which one process ends is invalid in all. */
async function checkLogout(webUrls: readonly string[]): Promise<string[]> {
  const [first = '', second = ''] = webUrls
  const token = await signIn(first)
  const readMe = () => Promise.all(webUrls.map((url) => getWithRetry(url, token, '/parcel/auth/me')))
  const before = await readMe()
  await sendOrThrow(second, token, { method: 'POST', path: '/parcel/auth/logout' })
  const after = await readMe()
  const statuses = [...before, ...after].map(({ status }) => status).join(' ')
  return statuses === '200 200 401 401'
    ? []
    : [`Requests before and after the sign-out were answered ${statuses}`]
}

/** Checks that the total counts each lead once, whichever process folded the deltas. */
async function checkLeadCount(url: string, { token, source }: WriterSetup): Promise<string[]> {
  const path = `/api/admin/leads/?source_id=${source}`
  const storedCount = (await readAllRows(url, token, path)).length
  for (let attempt = 0; ; attempt += 1) {
    const { meta } = await sendOrThrow<{ meta: { filtered_total: number } }>(url, token, {
      method: 'GET',
      path,
    })
    if (meta.filtered_total === storedCount) return []
    if (attempt === 30) return [`There are ${storedCount} leads, and ${meta.filtered_total} were counted`]
    await sleep(100)
  }
}
