import { setTimeout as sleep } from 'node:timers/promises'
import type { UploadAnswer } from '@karvon/contract/uploads/uploads.ts'
import { selectCount } from '@karvon/testkit/extent.ts'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { startTelegram, type FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildPdf } from '../../../test/archives.ts'
import { startWorker } from '../../../test/worker.ts'

const uploads = selectCount({ short: 40, long: 1000 })
const kills = selectCount({ short: 3, long: 100 })
const settings = { KARVON_TELEGRAM_TOKEN: '1:token', KARVON_TELEGRAM_CHAT: '-100123' }

let telegram: FakeTelegram
let product: Product
let admin: Session
let server: NodeProcess | undefined

beforeAll(async () => {
  telegram = await startTelegram('1:token')
  product = await createTestApp({ ...settings, KARVON_TELEGRAM_ROOT: telegram.root })
  admin = await signInAdmin(product.app)
})
afterEach(kill)
afterAll(async () => {
  await product.close()
  await telegram.close()
})

async function start(): Promise<void> {
  const worker = startWorker('upload-server', product, {
    ...settings,
    KARVON_TELEGRAM_ROOT: telegram.root,
  })
  await worker.waitFor(/http\S+/)
  server = worker
}

async function kill(): Promise<void> {
  await server?.kill()
}

/** Uploads a file; null if the process was killed before the answer. */
async function upload(n: number): Promise<number | null> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(buildPdf())]), `файл ${n}.pdf`)
  const { authorization } = admin.headers
  try {
    const url = `${server?.url}/api/parcel/files/upload/`
    const answer = await fetch(url, { method: 'POST', body: form, headers: { authorization } })
    expect(answer.status).toBe(200)
    return ((await answer.json()) as UploadAnswer).id
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return null
  }
}

const query = async <Row>(text: string) =>
  (await product.deps.pool.query<Row & Record<string, unknown>>(text)).rows

/** Ends leases and waits, so that the test does not wait for them. */
const makeDue = (leasesToo: boolean) =>
  query(`update uploads set next_at = now() ${leasesToo ? ', leased_until = case when leased_until > now() then now() else leased_until end' : ''}
    where status = 'queued' and (${leasesToo} or leased_until is null and attempts > 0)`)

test('kills (-9) with a faulty Telegram lose no upload, and only marked uploads are sent twice', async () => {
  telegram.faults = { slow_down: 0.08, broken: 0.15, hang: 0.03, reset: 0.1, lost: 0.05, migrate: 0.03 }
  const answeredIds = new Set<number>()
  let sentAt = 0
  for (let round = 0; round <= kills; round += 1) {
    await start()
    const last = round === kills
    const until = Math.round((uploads * (round + 1)) / (kills + 1))
    const runJobs = async () => {
      while (sentAt < until) {
        const id = await upload((sentAt += 1))
        if (id === null) return
        answeredIds.add(id)
      }
    }
    const running = Promise.all([runJobs(), runJobs(), runJobs()])
    if (!last) {
      // The kill happens at a different time during the uploads of each round.
      await Promise.race([running, sleep(150 + ((round * 137) % 700))])
      await kill()
    }
    await running
    if (!last) await makeDue(true)
  }
  const countRemaining = async () => {
    await makeDue(false)
    return (await query<{ n: number }>(`select count(*) as n from uploads where status = 'queued'`))[0]?.n
  }
  await expect.poll(countRemaining, { timeout: 120_000 + uploads * 500, interval: 200 }).toBe(0)

  const rows = await query<{ id: number; status: string; last_error: string | null; unsure: boolean }>(
    'select id, status, last_error, unsure from uploads',
  )
  expect(answeredIds.size, 'answered').toBeGreaterThan(uploads / 3)
  const ids = new Set(rows.map(({ id }) => id))
  expect([...answeredIds].filter((id) => !ids.has(id))).toEqual([])
  const idOf = (caption: string | null) => Number(/^#(\d+) /.exec(caption ?? '')?.[1])
  const arrivals = new Map<number, number>()
  for (const { caption } of telegram.sent) arrivals.set(idOf(caption), (arrivals.get(idOf(caption)) ?? 0) + 1)
  for (const { id, status, last_error, unsure } of rows) {
    const times = arrivals.get(id) ?? 0
    if (status === 'sent') expect(times, `sent, and arrived: ${id}`).toBeGreaterThan(0)
    else expect(last_error, `refused with a reason: ${id}`).toMatch(/./)
    if (times > 1) expect(unsure, `arrived ${times} times, so marked: ${id}`).toBe(true)
  }
  // Only these uploads are marked as unsure: those without an answer of Telegram, those that Telegram received partly,
  // and those that a kill interrupted (three requests and one of the job).
  const doubtful = new Set([...telegram.unconfirmed].map(idOf))
  const markedRows = rows.filter(({ id, unsure }) => unsure && !doubtful.has(id))
  expect(markedRows.length, 'marked without a doubt').toBeLessThanOrEqual(kills * 4 + telegram.brokenCalls)
  const repeatedRows = rows.filter(({ id }) => (arrivals.get(id) ?? 0) > 1)
  process.stderr.write(
    `${rows.length} uploads, ${kills} kills: ${rows.filter(({ status }) => status === 'sent').length} sent, ` +
      `${rows.filter(({ status }) => status === 'refused').length} refused, ${rows.filter(({ unsure }) => unsure).length} marked, ` +
      `${repeatedRows.length} came more than once\n`,
  )
})
