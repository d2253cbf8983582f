import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findRunningEmbedded } from '@karvon/server/platform/database/embedded.running.ts'
import { send, type ClientAnswer } from './client.ts'
import { mountDisk } from './disk.mount.ts'
import type { Outcome, Part } from './part.ts'
import { newFolder, signIn, startProduct } from './product.ts'
import { kinds, prepare } from './writers.deeds.ts'
import { Writers } from './writers.ts'
import { verify } from './writers.verify.ts'

/** Times that the disk is full, and for how many milliseconds each. */
const rounds = { long: 6, short: 1 }
const full = { long: 10_000, short: 3000 }
const megabytes = 400
/** Milliseconds in which everything is to work again once there is room. */
const promised = 5000

/** The whole data folder on a disk that has no room left now and then: database, log and uploaded files. */
export const diskPart: Part = {
  name: 'disk',
  about:
    'A full disk is 503 while it lasts; nothing acknowledged is lost, and all works again once there is room',
  async run(extent, say): Promise<Outcome> {
    await using folder = await newFolder()
    const disk = mountDisk(path.join(folder.path, 'disk'), megabytes)
    if (disk === null) return { figures: { 'the disk': 'left out: no mount' }, faults: [] }
    await using end = new AsyncDisposableStack()
    end.defer(() => disk.unmount())
    const product = await startProduct(disk.path, { KARVON_LOG: 'error' })
    end.defer(() => product.kill())
    const heard = new Map<number, number>()
    const note = ({ status }: ClientAnswer) => heard.set(status, (heard.get(status) ?? 0) + 1)
    const ground = await prepare(product.url, await signIn(product.url))
    const writers = new Writers(() => [product.url], ground, 0, note)
    await writers.start(6)
    const faults: string[] = []
    const back: number[] = []
    for (let round = 1; round <= rounds[extent]; round += 1) {
      await writers.more(40)
      const refused = heard.get(503) ?? 0
      const database = await findRunningEmbedded(disk.path)
      const began = performance.now()
      const isTold = () => (heard.get(503) ?? 0) > refused
      for (let ms = 0; ms < full[extent] || !isTold(); ms = performance.now() - began) {
        disk.fill()
        // Every second time its log has to grow, too, and there it cannot but stop altogether.
        if (round % 2 === 1 && database !== undefined) await growLog(database)
        if (ms > 60_000) throw new Error('Nobody was told of the full disk')
        await sleep(100)
      }
      const alive = await send(product.url, null, { method: 'GET', path: '/healthz' })
      if (alive.status !== 200) faults.push(`/healthz answered ${alive.status} while the disk was full`)
      disk.free()
      back.push(await untilAllKinds(writers))
      say(`full ${round} times, ${writers.done} acknowledged, back after ${Math.round(back.at(-1) ?? 0)} ms`)
    }
    await writers.stop()
    const verified = await verify(product.url, ground, writers)
    faults.push(...verified.faults)
    await product.stop()
    const slowest = Math.round(Math.max(...back))
    if (extent === 'long' && slowest > promised)
      faults.push(`It took ${slowest} ms until everything could be written again`)
    return {
      figures: {
        'times without room': rounds[extent],
        'changes acknowledged': verified.acknowledged,
        'answered 503': heard.get(503) ?? 0,
        'not answered': heard.get(0) ?? 0,
        'acknowledged and lost': verified.lost,
        'applied twice': verified.twice,
        'longest until every kind was written again, ms': slowest,
      },
      faults,
    }
  },
}

/** Writes a few megabytes into PostgreSQL's log, if it still can. */
async function growLog(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database, connectionTimeoutMillis: 1000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`select pg_logical_emit_message(false, 'stress', repeat('x', 4000000))`)
  } catch {
    // That is what it is for.
  } finally {
    await client.end().catch(() => {})
  }
}

/** Milliseconds until one more of every kind is acknowledged. */
async function untilAllKinds(writers: Writers): Promise<number> {
  const began = performance.now()
  const before = kinds.map((kind) => writers.acknowledged[kind].size)
  for (;;) {
    if (kinds.every((kind, at) => writers.acknowledged[kind].size > (before[at] ?? 0)))
      return performance.now() - began
    if (performance.now() - began > 60_000)
      throw new Error(`Not back within a minute of room: ${writers.unexpected.join(' ')}`)
    await sleep(10)
  }
}
