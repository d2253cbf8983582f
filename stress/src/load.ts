import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mountDisk } from './disk.mount.ts'
import { injectedFaults, type FaultTargets } from './load.faults.ts'
import { isFailure, LoadGenerator, type SentRequest } from './load.generator.ts'
import { inspectorEnv, measureMemory } from './load.memory.ts'
import type { Extent, Part } from './part.ts'
import { createFolder, signIn, startProduct } from './product.ts'
import { startProxiedCluster } from './proxied-cluster.ts'
import { createWriterSetup } from './writers.requests.ts'
import { Writers } from './writers.ts'
import { verify } from './writers.verify.ts'

/** Length of the long run. KARVON_STRESS_MINUTES overrides it. */
const minutes = Number(process.env.KARVON_STRESS_MINUTES ?? 20)
/** Seconds of the capacity measurement, seconds between faults, and the number of faults. */
const extents: Record<Extent, { measureSeconds: number; faultInterval: number; faults: number }> = {
  long: { measureSeconds: 10, faultInterval: 20, faults: minutes * 3 },
  short: { measureSeconds: 2, faultInterval: 6, faults: 2 },
}
/** Milliseconds after a fault in which 503 is allowed. The long run checks the promise. */
const gracePeriods = { long: 5000, short: 60_000 }
/** Largest allowed growth of memory, as a share. */
const maxMemoryGrowth = 0.05

interface Window {
  from: number
  to: number
}

/** Runs the product at half of its capacity with a fault every 20 s. */
export const loadPart: Part = {
  name: 'load',
  description:
    'Mixed load with a fault every 20 s gives no 5xx later than 5 s after a fault, and memory does not grow.',
  async run(extent, log) {
    const { measureSeconds, faultInterval, faults: count } = extents[extent]
    const gracePeriod = gracePeriods[extent]
    await using folder = await createFolder()
    await using cleanup = new AsyncDisposableStack()
    const { cluster, proxy, env } = await startProxiedCluster(folder.path, cleanup)
    const disk = mountDisk(path.join(folder.path, 'data'), 512)
    cleanup.defer(() => disk?.unmount())
    const data = path.join(folder.path, 'data')
    // The memory of this process is measured, so no fault ends it.
    const measuredProduct = await startProduct(data, { ...env, ...inspectorEnv })
    cleanup.defer(() => measuredProduct.kill())
    let restartedProduct = await startProduct(data, env)
    cleanup.defer(() => restartedProduct.kill())
    const { port } = new URL(restartedProduct.url)
    const targets: FaultTargets = {
      cluster,
      proxy,
      disk,
      restart: async (how) => {
        await restartedProduct[how]()
        await sleep(500)
        restartedProduct = await startProduct(data, { ...env, PORT: port })
      },
    }
    const setup = await createWriterSetup(measuredProduct.url, await signIn(measuredProduct.url))
    const addresses = () => [measuredProduct.url, restartedProduct.url]
    const generator = new LoadGenerator(addresses, setup)
    const capacity = await generator.measureCapacity(16, measureSeconds)
    const writers = new Writers(addresses, setup, 500)
    await writers.start(2)
    const perSecond = capacity / 2
    log(`${Math.round(capacity)} requests per second at capacity`)
    generator.sent.length = 0

    const windows: Window[] = []
    const faultNames: string[] = []
    const injectFaults = async (from: number, to: number) => {
      const abort = new AbortController()
      const running = generator.sendAtRate(perSecond, abort.signal)
      for (let number = from; number < to; number += 1) {
        const nextFaultAt = performance.now() + faultInterval * 1000
        const fault = injectedFaults[number % injectedFaults.length]
        const startedAt = performance.now()
        await fault?.inject(targets)
        windows.push({ from: startedAt, to: performance.now() + gracePeriod })
        faultNames.push(fault?.name ?? '')
        await sleep(Math.max(0, nextFaultAt - performance.now()))
        if (number % 9 === 8) log(`${number + 1} faults, ${generator.sent.length} requests`)
      }
      abort.abort()
      await running
    }
    // The first round of faults is the warm-up.
    const warmUpFaults = Math.min(injectedFaults.length, Math.floor(count / 2))
    await injectFaults(0, warmUpFaults)
    const memoryBefore = await measureMemory(measuredProduct.pid, measuredProduct.output)
    await injectFaults(warmUpFaults, count)
    const memoryAfter = await measureMemory(measuredProduct.pid, measuredProduct.output)
    await writers.stop()

    const verification = await verify(measuredProduct.url, setup, writers)
    const failuresOutside = generator.sent.filter(
      (request) => isFailure(request) && !isWithin(request, windows),
    )
    const failuresInside = generator.sent.filter(
      (request) => isFailure(request) && isWithin(request, windows),
    )
    const failures = [
      ...verification.failures,
      ...failuresOutside.map(
        ({ status, description, from }) =>
          `${status} ${describeTimeSinceFault(from, windows, faultNames, gracePeriod)}: ${description}`,
      ),
      ...failuresInside
        .filter(({ status }) => ![0, 503].includes(status))
        .map(({ status, description }) => `${status}: ${description}`),
    ]
    const memoryGrowth = memoryAfter / memoryBefore - 1
    if (extent === 'long' && memoryGrowth > maxMemoryGrowth)
      failures.push(`Memory grew from ${memoryBefore.toFixed(1)} MB to ${memoryAfter.toFixed(1)} MB`)
    return {
      figures: {
        'capacity, requests per second': Math.round(capacity),
        'requests sent per second': Math.round(perSecond),
        'requests in all': generator.sent.length,
        faults: faultNames.length,
        disk: disk === null ? 'skipped, no mount' : 'filled',
        'failed within 5 s after a fault': failuresInside.length,
        'failed at other times': failuresOutside.length,
        'answered 429 by the limit of one person': generator.sent.filter(({ status }) => status === 429)
          .length,
        'changes acknowledged': verification.acknowledged,
        'acknowledged and lost': verification.lost,
        'applied twice': verification.duplicates,
        'memory after the first faults, MB': Math.round(memoryBefore * 10) / 10,
        'memory at the end, MB': Math.round(memoryAfter * 10) / 10,
        'memory grew by': `${(memoryGrowth * 100).toFixed(1)} %`,
      },
      failures: failures,
    }
  },
}

const isWithin = ({ from, to }: SentRequest, windows: readonly Window[]) =>
  windows.some((timeWindow) => from <= timeWindow.to && to >= timeWindow.from)

/** Describes when a request failed, for debugging. */
function describeTimeSinceFault(
  startedAt: number,
  windows: readonly Window[],
  faultNames: readonly string[],
  gracePeriod: number,
): string {
  const number = windows.findLastIndex(({ from }) => from <= startedAt)
  const { to = 0 } = windows[number] ?? {}
  return `${Math.round((startedAt - to + gracePeriod) / 100) / 10} s after "${faultNames[number] ?? 'nothing'}"`
}
