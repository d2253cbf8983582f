import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { connectRawClient } from '../../test/raw-client.ts'
import { writeXlsx } from 'hucre'
import { maxPipelinedRequests } from '../platform/limits/limits.ts'
import { countSlotsByKind } from '../platform/limits/concurrency-limit.ts'

let product: Product
let admin: Session
let upload: number
let workbook: Buffer

beforeAll(async () => {
  product = await createTestApp()
  await product.app.listen({ port: 0, host: '127.0.0.1' })
  admin = await signInAdmin(product.app)
  workbook = Buffer.from(
    await writeXlsx({
      sheets: [
        {
          name: 'a',
          rows: [
            ['orderno', 'person'],
            ['L1', 'Aziza'],
          ],
        },
      ],
    }),
  )
  await product.deps.pool.query(`insert into cpa_sources (name, url) values ('N', 'https://n.example')`)
  const [row] = (
    await product.deps.pool.query<{ id: number }>(
      `insert into uploads (user_id, name, extension, size, sha256, status)
       select id, 'a.pdf', 'pdf', 1, repeat('0', 64), 'sent' from users returning id`,
    )
  ).rows
  upload = row?.id ?? 0
})
afterAll(() => product.close())

/** The resources that requests hold. All are zero while no request is running. */
async function countHeldResources(): Promise<Record<string, unknown>> {
  const { app, deps } = product
  return {
    ...app.countRequestsInProgress(),
    running: app.runningRequests.inUse,
    slots: [...countSlotsByKind()].filter(([, count]) => count > 0),
    connections: deps.pool.totalCount - deps.pool.idleCount,
    awaiting: deps.pool.waitingCount,
    files: await readdir(join(deps.config.dataFolder, 'incoming')).catch(() => []),
  }
}
const emptyCounts = {
  probes: 0,
  public: 0,
  unauthenticated: 0,
  people: 0,
  arrivals: 0,
  body_bytes: 0,
  running: 0,
  slots: [],
  connections: 0,
  awaiting: 0,
  files: [],
}
/** The held resources, once two checks in a row find none, or at the last check. */
async function heldAtLast(): Promise<Record<string, unknown>> {
  let last = await countHeldResources()
  for (let checks = 0, empty = 0; checks < 800 && empty < 2; checks += 1) {
    await sleep(25)
    last = await countHeldResources()
    empty = isDeepStrictEqual(last, emptyCounts) ? empty + 1 : 0
  }
  return last
}

const text = (value: string) => Buffer.from(value)
function form(name: string, content: Buffer, fields = ''): { type: string; body: Buffer } {
  const head = `${fields}--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  return {
    type: 'multipart/form-data; boundary=x',
    body: Buffer.concat([text(head), content, text('\r\n--x--\r\n')]),
  }
}
const json = (value: object) => ({ type: 'application/json', body: text(JSON.stringify(value)) })
const field = (name: string, value: string) =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const leads = 'external_id,created_at,status,payout\nL1,2026-11-20,sold,1\n'
const parcels = 'orderno,status,event_time\nP1,NEW,2026-11-19T10:00:00\n'

interface Heavy {
  method: 'GET' | 'POST'
  url: () => string
  sent?: () => { type: string; body: Buffer }
  unsigned?: true
}
const heavy: Record<string, Heavy> = {
  'an upload': {
    method: 'POST',
    url: () => '/api/parcel/files/upload/',
    sent: () => form('a.xlsx', workbook, field('description', 'torn')),
  },
  'a preview': {
    method: 'POST',
    url: () => '/api/parcel/files/preview/',
    sent: () => form('a.xlsx', workbook),
  },
  'an import of leads': {
    method: 'POST',
    url: () => '/api/admin/leads/import/',
    sent: () => form('a.csv', text(leads), field('source_id', '1')),
  },
  'an import of parcels': {
    method: 'POST',
    url: () => '/api/admin/parcels/import/',
    sent: () => form('a.csv', text(parcels)),
  },
  'a sign-in by a form': {
    method: 'POST',
    url: () => '/parcel/auth/login',
    sent: () => ({
      type: 'multipart/form-data; boundary=x',
      body: text(`${field('username', 'admin')}${field('password', 'wrong')}--x--\r\n`),
    }),
    unsigned: true,
  },
  'a sign-in': {
    method: 'POST',
    url: () => '/parcel/auth/login',
    sent: () => json({ username: 'somebody', password: 'wrong' }),
    unsigned: true,
  },
  'a change': { method: 'POST', url: () => '/api/admin/status-types/', sent: () => json({ name: 'T' }) },
  'a list': { method: 'GET', url: () => '/api/parcel/parcels/all' },
  'a download as csv': { method: 'GET', url: () => '/api/admin/leads/?format=csv' },
  'a download as xlsx': { method: 'GET', url: () => '/api/admin/leads/?format=xlsx' },
  'a stored file': { method: 'GET', url: () => `/api/admin/uploads/${upload}/file` },
  'a postback': { method: 'GET', url: () => '/api/postback/nobody?tid=1', unsigned: true },
}

function requestOf({ method, url, sent, unsigned }: Heavy): Buffer {
  const { type, body } = sent?.() ?? { type: '', body: text('') }
  const head = [
    `${method} ${url()} HTTP/1.1`,
    'host: karvon',
    ...(unsigned ? [] : [`authorization: ${admin.headers.authorization}`]),
    ...(sent === undefined ? [] : [`content-type: ${type}`, `content-length: ${body.length}`]),
    '\r\n',
  ]
  return Buffer.concat([text(head.join('\r\n')), body])
}

type Connect = pg.Pool['connect']

/** Delays the nth request for a database connection; returns whether there was one. */
function holdNth(
  pool: pg.Pool,
  nth: number,
): { reached: Promise<void>; go: () => void; restore: () => void } {
  const arrival = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const usual = pool.connect.bind(pool)
  let count = 0
  const wait = async () => {
    count += 1
    if (count !== nth) return
    arrival.resolve()
    await gate.promise
  }
  const connect = async (done?: Parameters<Connect>[0]) => {
    await wait()
    return done === undefined ? usual() : usual(done)
  }
  pool.connect = connect as Connect
  return {
    reached: arrival.promise,
    go: () => gate.resolve(),
    restore: () => (pool.connect = usual),
  }
}

beforeEach(async () => {
  await product.deps.pool.query('delete from sign_in_failures')
  await heldAtLast()
})

describe.each(Object.entries(heavy))('%s', (_, call) => {
  test('a connection cut at any wait for the database leaks no resource', async () => {
    let tornCount = 0
    for (let nth = 1; nth < 40; nth += 1) {
      await product.deps.identities.invalidate()
      const hold = holdNth(product.deps.pool, nth)
      const client = connectRawClient(product.app, requestOf(call))
      const firstAnswer = vi.waitFor(() => expect(client.getReceived()).toContain('HTTP/1.1'), {
        timeout: 20_000,
      })
      const where = await Promise.race([hold.reached.then(() => 'held'), firstAnswer.then(() => 'answered')])
      client.socket.destroy()
      await expect.poll(() => client.isClosed()).toBe(true)
      if (where === 'held') await new Promise((resolve) => setTimeout(resolve, 5))
      firstAnswer.catch(() => {})
      hold.go()
      hold.restore()
      expect(await heldAtLast()).toEqual(emptyCounts)
      if (where === 'answered') break
      tornCount += 1
    }
    expect(tornCount).toBeGreaterThan(0)
  })

  test('a connection cut at any part of its request leaks no resource', async () => {
    const whole = requestOf(call)
    const cuts = Array.from({ length: 24 }, (_, n) => Math.ceil((whole.length * (n + 1)) / 24))
    for (const cut of cuts)
      for (const pause of [0, 3]) {
        const client = connectRawClient(product.app, whole.subarray(0, cut))
        await new Promise((resolve) => client.socket.once('connect', resolve))
        await new Promise((resolve) => setTimeout(resolve, pause))
        client.socket.destroy()
      }
    expect(await heldAtLast()).toEqual(emptyCounts)
  })
})

test('a pipelined request that never starts leaks no resource', async () => {
  const download = requestOf(heavy['a download as csv'] as Heavy)
  const client = connectRawClient(
    product.app,
    Buffer.concat(Array.from({ length: maxPipelinedRequests }, () => download)),
    true,
  )
  await new Promise((resolve) => setTimeout(resolve, 50))
  client.socket.destroy()
  expect(await heldAtLast()).toEqual(emptyCounts)
})
