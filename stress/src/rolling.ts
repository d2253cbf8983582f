import path from 'node:path'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { findFreePort } from '@karvon/testkit/free-port.ts'
import type { ClientAnswer } from './client.ts'
import { missingHaproxy, startHaproxy } from './haproxy.ts'
import { isFailure, LoadGenerator, type SentRequest } from './load.generator.ts'
import type { Extent, Part } from './part.ts'
import { createFolder, runCheck, signIn, startProduct } from './product.ts'
import { startProxiedCluster } from './proxied-cluster.ts'
import { createWriterSetup } from './writers.requests.ts'
import { Writers } from './writers.ts'
import { verify } from './writers.verify.ts'

const rounds: Record<Extent, number> = { long: 10, short: 1 }
const webCount: Record<Extent, number> = { long: 3, short: 2 }
const workerCount: Record<Extent, number> = { long: 2, short: 1 }
const killCount: Record<Extent, number> = { long: 3, short: 1 }
/** Requests per second at each balancer, besides those of the writers. */
const rate = 20

/** Restarts and kills webs and workers in turn behind HAProxy, under load. */
export const rollingPart: Part = {
  name: 'rolling',
  description:
    'No request fails while webs and workers behind HAProxy restart in turn. After kill -9 of a web, only requests in flight fail.',
  missing: missingHaproxy,
  async run(extent, log) {
    await using folder = await createFolder()
    await using cleanup = new AsyncDisposableStack()
    const { env } = await startProxiedCluster(folder.path, cleanup)
    const data = path.join(folder.path, 'data')
    const start = (role: string, port: number) =>
      startProduct(data, { ...env, KARVON_PROCESS: role, PORT: String(port) })
    const roles = [
      ...Array.from({ length: webCount[extent] }, () => 'web'),
      ...Array.from({ length: workerCount[extent] }, () => 'worker'),
    ]
    const processes: { role: string; port: number; process: NodeProcess }[] = []
    cleanup.defer(async () => {
      for (const { process } of processes) await process.kill()
    })
    for (const role of roles) {
      const port = await findFreePort()
      processes.push({ role, port, process: await start(role, port) })
    }
    const webs = processes.filter(({ role }) => role === 'web')
    const balancers = await startHaproxy(
      folder.path,
      webs.map(({ port }) => port),
      cleanup,
    )
    const addresses = [balancers.http, balancers.tcp]
    const setup = await createWriterSetup(balancers.http, await signIn(balancers.http))

    const changes: SentRequest[] = []
    const onAnswer = ({ status, milliseconds }: ClientAnswer) => {
      const to = performance.now()
      // 409: the first request with the same Idempotency-Key is still in progress, or was applied.
      if (status !== 409)
        changes.push({ from: to - milliseconds, to, status, description: `a change: ${status}` })
    }
    const writers = new Writers(() => addresses, setup, 200, onAnswer)
    const load = new LoadGenerator(() => addresses, setup)
    const loadEnd = new AbortController()
    await writers.start(2)
    const loadDone = load.sendAtRate(rate * addresses.length, loadEnd.signal)
    let requestCount = 0
    /** Returns the failed requests since the last call. */
    const removeFailed = () => {
      const sent = [...changes.splice(0), ...load.sent.splice(0)]
      requestCount += sent.length
      return sent.filter(isFailure)
    }

    const failures: string[] = []
    for (let round = 1; round <= rounds[extent]; round += 1) {
      for (const running of processes) {
        await running.process.stop()
        if (running.process.end?.code !== 0)
          failures.push(`A restart of ${running.role} was not graceful:\n${running.process.output}`)
        running.process = await start(running.role, running.port)
        if (running.role === 'web') await balancers.waitForAllWebs()
      }
      failures.push(...removeFailed().map(({ description }) => `During a restart: ${description}`))
      log(`round ${round}, ${requestCount} requests, ${failures.length} failures`)
    }

    const killedWebs = webs.slice(0, killCount[extent])
    let inFlightCount = 0
    for (const web of killedWebs) {
      const killedFrom = performance.now()
      await web.process.kill()
      const killedTo = performance.now()
      web.process = await start('web', web.port)
      await balancers.waitForAllWebs()
      for (const { from, to, description } of removeFailed()) {
        if (from <= killedTo && to >= killedFrom) inFlightCount += 1
        else failures.push(`${Math.round(from - killedTo)} ms after a kill: ${description}`)
      }
    }
    loadEnd.abort()
    await loadDone
    await writers.stop()
    failures.push(...removeFailed().map(({ description }) => `After the last kill: ${description}`))
    const verification = await verify(balancers.http, setup, writers)
    failures.push(...verification.failures)
    for (const { process } of processes) await process.stop()
    failures.push(...(await runCheck(data, env)))
    return {
      figures: {
        processes: roles.join(', '),
        'rolling restarts': rounds[extent],
        'kills of a web': killedWebs.length,
        requests: requestCount,
        'changes acknowledged': verification.acknowledged,
        'failed requests in flight at a kill': inFlightCount,
        'acknowledged and lost': verification.lost,
        'applied twice': verification.duplicates,
      },
      failures,
    }
  },
}
