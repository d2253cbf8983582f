import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findRunningEmbedded } from '@karvon/server/platform/database/embedded.running.ts'
import { send, type ClientAnswer } from './client.ts'
import { mountDisk } from './disk.mount.ts'
import type { PartResult, Part } from './part.ts'
import { createFolder, signIn, startProduct } from './product.ts'
import { kinds, createWriterSetup } from './writers.requests.ts'
import { Writers } from './writers.ts'
import { verify } from './writers.verify.ts'

/** How often the disk is full, and for how many milliseconds each time. */
const rounds = { long: 6, short: 1 }
const fullFor = { long: 10_000, short: 3000 }
const megabytes = 400
/** Longest time from free space until everything works, in milliseconds. */
const maxRecovery = 5000

/** Fills the disk of the whole data folder several times: database, log and uploaded files. */
export const diskPart: Part = {
  name: 'disk',
  description:
    'A full disk is answered with 503; nothing acknowledged is lost, and everything works when space is free again.',
  async run(extent, log): Promise<PartResult> {
    await using folder = await createFolder()
    const disk = mountDisk(path.join(folder.path, 'disk'), megabytes)
    if (disk === null) return { figures: { disk: 'skipped, no mount' }, failures: [] }
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => disk.unmount())
    const product = await startProduct(disk.path, { KARVON_LOG: 'error' })
    cleanup.defer(() => product.kill())
    const statusCounts = new Map<number, number>()
    const countStatus = ({ status }: ClientAnswer) =>
      statusCounts.set(status, (statusCounts.get(status) ?? 0) + 1)
    const setup = await createWriterSetup(product.url, await signIn(product.url))
    const writers = new Writers(() => [product.url], setup, 0, countStatus)
    await writers.start(6)
    const failures: string[] = []
    const recoveryTimes: number[] = []
    for (let round = 1; round <= rounds[extent]; round += 1) {
      await writers.waitForAcknowledged(40)
      const refusedBefore = statusCounts.get(503) ?? 0
      const database = await findRunningEmbedded(disk.path)
      const startedAt = performance.now()
      const hasNewRefusal = () => (statusCounts.get(503) ?? 0) > refusedBefore
      for (let ms = 0; ms < fullFor[extent] || !hasNewRefusal(); ms = performance.now() - startedAt) {
        disk.fill()
        // In every second round the write-ahead log must grow too, which stops PostgreSQL.
        if (round % 2 === 1 && database !== undefined) await growWal(database)
        if (ms > 60_000) throw new Error('No request was answered 503')
        await sleep(100)
      }
      const alive = await send(product.url, null, { method: 'GET', path: '/healthz' })
      if (alive.status !== 200) failures.push(`/healthz answered ${alive.status} while the disk was full`)
      disk.free()
      recoveryTimes.push(await measureRecovery(writers))
      log(
        `full ${round} times, ${writers.acknowledgedCount} acknowledged, recovered after ${Math.round(recoveryTimes.at(-1) ?? 0)} ms`,
      )
    }
    await writers.stop()
    const verification = await verify(product.url, setup, writers)
    failures.push(...verification.failures)
    await product.stop()
    const slowest = Math.round(Math.max(...recoveryTimes))
    if (extent === 'long' && slowest > maxRecovery) failures.push(`The recovery took ${slowest} ms`)
    return {
      figures: {
        'times the disk was full': rounds[extent],
        'changes acknowledged': verification.acknowledged,
        'answered 503': statusCounts.get(503) ?? 0,
        'not answered': statusCounts.get(0) ?? 0,
        'acknowledged and lost': verification.lost,
        'applied twice': verification.duplicates,
        'longest recovery, ms': slowest,
      },
      failures,
    }
  },
}

/** Tries to write a few megabytes to the write-ahead log. */
async function growWal(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database, connectionTimeoutMillis: 1000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`select pg_logical_emit_message(false, 'stress', repeat('x', 4000000))`)
  } catch {
    // The write is meant to fail.
  } finally {
    await client.end().catch(() => {})
  }
}

/** Milliseconds until one more operation of each kind is acknowledged. */
async function measureRecovery(writers: Writers): Promise<number> {
  const startedAt = performance.now()
  const before = kinds.map((kind) => writers.acknowledged[kind].size)
  for (;;) {
    if (kinds.every((kind, index) => writers.acknowledged[kind].size > (before[index] ?? 0)))
      return performance.now() - startedAt
    if (performance.now() - startedAt > 60_000)
      throw new Error(`No recovery within a minute: ${writers.unexpectedAnswers.join(' ')}`)
    await sleep(10)
  }
}
