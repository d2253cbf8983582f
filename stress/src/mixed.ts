import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseAt, newCluster } from './cluster.ts'
import { mountDisk } from './disk.mount.ts'
import { faults, type Victims } from './mixed.faults.ts'
import { Load, type Sent } from './mixed.load.ts'
import { inspected, settledMemory } from './mixed.memory.ts'
import type { Extent, Part } from './part.ts'
import { newFolder, signIn, startProduct } from './product.ts'
import { newProxy } from './proxy.ts'
import { prepare } from './writers.deeds.ts'
import { Writers } from './writers.ts'
import { verify } from './writers.verify.ts'

/** Minutes of the whole run; KARVON_STRESS_MINUTES says otherwise. */
const minutes = Number(process.env.KARVON_STRESS_MINUTES ?? 20)
/** Seconds: of measuring what can be carried; from one fault to the next; faults in all. */
const plan: Record<Extent, { measure: number; every: number; faults: number }> = {
  long: { measure: 10, every: 20, faults: minutes * 3 },
  short: { measure: 2, every: 6, faults: 2 },
}
/** Milliseconds after a fault is over in which the product may still say 503; how fast it is back, the long run says. */
const graces = { long: 5000, short: 60_000 }
/** Memory may grow by so much. */
const growth = 0.05

interface Window {
  from: number
  to: number
}

/** A desk at half of what it can carry, while something breaks every 20 s. */
export const mixedPart: Part = {
  name: 'mixed',
  about: 'Under mixed load with a fault every 20 s nobody gets a 5xx beyond 5 s after each, and memory stays',
  async run(extent, say) {
    const { measure, every, faults: count } = plan[extent]
    const grace = graces[extent]
    await using folder = await newFolder()
    await using end = new AsyncDisposableStack()
    const cluster = await newCluster(path.join(folder.path, 'node'))
    end.defer(cluster.kill)
    await cluster.start()
    const proxy = await newProxy(cluster.port)
    end.defer(proxy.close)
    const disk = mountDisk(path.join(folder.path, 'data'), 512)
    end.defer(() => disk?.unmount())
    const env = {
      DATABASE_URL: databaseAt(proxy.port),
      KARVON_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      KARVON_LOG: 'error',
    }
    const data = path.join(folder.path, 'data')
    // Its memory is looked at, so it is never ended; the other one is.
    const steady = await startProduct(data, { ...env, ...inspected })
    end.defer(() => steady.kill())
    let mortal = await startProduct(data, env)
    end.defer(() => mortal.kill())
    const { port } = new URL(mortal.url)
    const victims: Victims = {
      cluster,
      proxy,
      disk,
      restart: async (how) => {
        await mortal[how]()
        await sleep(500)
        mortal = await startProduct(data, { ...env, PORT: port })
      },
    }
    const ground = await prepare(steady.url, await signIn(steady.url))
    const addresses = () => [steady.url, mortal.url]
    const load = new Load(addresses, ground)
    const capacity = await load.capacity(16, measure)
    const writers = new Writers(addresses, ground, 500)
    await writers.start(2)
    const perSecond = capacity / 2
    say(`${Math.round(capacity)} requests a second can be carried`)
    load.sent.length = 0

    const windows: Window[] = []
    const harmed: string[] = []
    const run = async (from: number, to: number) => {
      const ending = new AbortController()
      const running = load.steadily(perSecond, ending.signal)
      for (let number = from; number < to; number += 1) {
        const next = performance.now() + every * 1000
        const fault = faults[number % faults.length]
        const began = performance.now()
        await fault?.harm(victims)
        windows.push({ from: began, to: performance.now() + grace })
        harmed.push(fault?.name ?? '')
        await sleep(Math.max(0, next - performance.now()))
        if (number % 9 === 8) say(`${number + 1} faults, ${load.sent.length} requests`)
      }
      ending.abort()
      await running
    }
    // Every fault once is part of warming up.
    const warm = Math.min(faults.length, Math.floor(count / 2))
    await run(0, warm)
    const atFirst = await settledMemory(steady.pid, steady.printed())
    await run(warm, count)
    const atLast = await settledMemory(steady.pid, steady.printed())
    await writers.stop()

    const verified = await verify(steady.url, ground, writers)
    const outside = load.sent.filter((sent) => isFailure(sent) && !within(sent, windows))
    const inside = load.sent.filter((sent) => isFailure(sent) && within(sent, windows))
    const broken = [
      ...verified.faults,
      ...outside.map(
        ({ status, what, from }) => `${status} ${sinceFault(from, windows, harmed, grace)}: ${what}`,
      ),
      ...inside
        .filter(({ status }) => ![0, 503].includes(status))
        .map(({ status, what }) => `${status}: ${what}`),
    ]
    const grown = atLast / atFirst - 1
    if (extent === 'long' && grown > growth)
      broken.push(`Memory grew from ${atFirst.toFixed(1)} MB to ${atLast.toFixed(1)} MB`)
    return {
      figures: {
        'requests a second that can be carried': Math.round(capacity),
        'requests a second sent': Math.round(perSecond),
        'requests in all': load.sent.length,
        faults: harmed.length,
        'the disk': disk === null ? 'left out: no mount' : 'filled in its turn',
        'not done within 5 s after a fault': inside.length,
        'not done otherwise': outside.length,
        'told to wait, since one person did much at once': load.sent.filter(({ status }) => status === 429)
          .length,
        'changes acknowledged': verified.acknowledged,
        'acknowledged and lost': verified.lost,
        'applied twice': verified.twice,
        'memory after the first faults, MB': Math.round(atFirst * 10) / 10,
        'memory at the end, MB': Math.round(atLast * 10) / 10,
        'memory grew by': `${(grown * 100).toFixed(1)} %`,
      },
      faults: broken,
    }
  },
}

/** 429 is what one person is told who does much at once, as the load does. */
const isFailure = ({ status }: Sent) => (status < 200 || status > 299) && status !== 429

const within = ({ from, to }: Sent, windows: readonly Window[]) =>
  windows.some((each) => from <= each.to && to >= each.from)

/** When it was, for whoever looks into it. */
function sinceFault(at: number, windows: readonly Window[], names: readonly string[], grace: number): string {
  const number = windows.findLastIndex(({ from }) => from <= at)
  const { to = 0 } = windows[number] ?? {}
  return `${Math.round((at - to + grace) / 100) / 10} s after "${names[number] ?? 'nothing'}"`
}
