import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { connectRawClient, shortClientTimeouts } from '../../../test/raw-client.ts'
import type { ClientTimeouts } from '../../config.clients.ts'
import { getRefusalCounts } from './refusals.ts'

// A busy machine may delay an honest client.
const realTimeouts: ClientTimeouts = {
  ...shortClientTimeouts,
  headers: 30_000,
  body: { interval: 3000, bytes: 1000 },
}

const soon = { timeout: 60_000, interval: 20 }
const count = (reason: Parameters<ReturnType<typeof getRefusalCounts>['get']>[0]) =>
  getRefusalCounts().get(reason) ?? 0

async function open(clientTimeouts: ClientTimeouts): Promise<{ product: Product; admin: Session }> {
  // The exports are counted on the primary.
  const product = await createTestApp({ KARVON_DATABASE_READ_URL: '' }, { clientTimeouts })
  await product.app.listen({ port: 0, host: '127.0.0.1' })
  return { product, admin: await signInAdmin(product.app) }
}

const post = (url: string, as: Session | null, type: string, length: number) =>
  [
    `POST ${url} HTTP/1.1`,
    'host: karvon',
    ...(as === null ? [] : [`authorization: ${as.headers.authorization}`]),
    `content-type: ${type}`,
    `content-length: ${length}`,
    '\r\n',
  ].join('\r\n')

describe('Too slow clients', () => {
  let product: Product
  let admin: Session
  beforeAll(async () => {
    ;({ product, admin } = await open(shortClientTimeouts))
  })
  afterAll(() => product.close())

  test.each([
    ['nothing', ''],
    ['half a header', 'GET /healthz HTTP/1.1\r\nhost: kar'],
  ])('a client that sends %s is disconnected', async (_, text) => {
    const client = connectRawClient(product.app, text)
    await vi.waitFor(() => expect(client.isClosed()).toBe(true), soon)
    expect(client.getReceived()).toMatch(/^(HTTP\/1.1 408 |$)/)
  })

  test.each([
    [
      'as somebody, in a call that reads bodies',
      () => admin,
      '/api/admin/offers/',
      'application/json',
      '408',
    ],
    [
      'as somebody, in a form',
      () => admin,
      '/api/parcel/files/upload/',
      'multipart/form-data; boundary=x',
      '408',
    ],
    ['as nobody, after the answer', () => null, '/api/admin/offers/', 'application/json', '401'],
  ])('a client that sends a byte now and then %s is disconnected', async (_, as, url, type, status) => {
    const before = count('slow_body')
    const client = connectRawClient(product.app, post(url, as(), type, 5000))
    const timer = setInterval(() => client.socket.write('x'), 100)
    await vi.waitFor(() => expect(client.isClosed()).toBe(true), soon)
    clearInterval(timer)
    expect(client.getReceived()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(count('slow_body')).toBe(before + 1)
    const after = await callApi(product.app, admin, 'GET', '/api/admin/offers/')
    expect(after.statusCode).toBe(200)
  })

  test('a client that does not read its export is disconnected, and the database connection is freed', async () => {
    await product.deps.pool.query(
      `insert into cpa_sources (name, url, description)
       select 'source ' || n, 'https://example.uz', repeat('Описание ', 200) from generate_series(1, 12000) n`,
    )
    const url = '/api/admin/cpa-sources/?format=csv'
    const before = count('slow_reader')
    const requestText = `GET ${url} HTTP/1.1\r\nhost: karvon\r\nauthorization: ${admin.headers.authorization}\r\n\r\n`
    const readers = [
      connectRawClient(product.app, requestText, true),
      connectRawClient(product.app, requestText, true),
    ]
    await vi.waitFor(async () => expect(await countExports(product)).toBe(2), soon)
    const third = await callApi(product.app, admin, 'GET', url)
    expect([third.statusCode, third.headers['retry-after']]).toEqual([429, '10'])
    await vi.waitFor(() => expect(count('slow_reader')).toBe(before + 2), soon)
    await vi.waitFor(async () => expect(await countExports(product)).toBe(0), soon)
    const fourth = await callApi(product.app, admin, 'GET', url)
    expect(fourth.statusCode).toBe(200)
    expect(fourth.body.split('\r\n').length).toBeGreaterThan(12_000)
    for (const { socket } of readers) socket.destroy()
  })
})

async function countExports({ deps }: Product): Promise<number> {
  const text = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and query like '%export_rows%' and pid <> pg_backend_pid() and state <> 'idle'`
  return (await deps.pool.query<{ n: number }>(text)).rows[0]?.n ?? -1
}

describe('Slow honest clients', () => {
  let product: Product
  let admin: Session
  beforeAll(async () => {
    ;({ product, admin } = await open(realTimeouts))
  })
  afterAll(() => product.close())

  test('a slow upload with steady progress succeeds', async () => {
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4\n'
    const tail = '\n%%EOF\n\r\n--x--\r\n'
    const pieces = Array.from({ length: 50 }, () => '%'.repeat(1000))
    const length = head.length + 50_000 + tail.length
    const type = 'multipart/form-data; boundary=x'
    const client = connectRawClient(
      product.app,
      post('/api/parcel/files/upload/', admin, type, length) + head,
    )
    // In total longer than the time in which data must arrive.
    for (const piece of pieces) {
      await sleep(80)
      client.socket.write(piece)
    }
    client.socket.write(tail)
    await vi.waitFor(() => expect(client.getReceived()).toMatch(/^HTTP\/1.1 \d{3} /), soon)
    expect(client.getReceived()).toMatch(/^HTTP\/1.1 200 /)
    client.socket.destroy()
  })
})
