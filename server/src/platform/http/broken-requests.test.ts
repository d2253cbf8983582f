import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { connectRawClient, shortClientTimeouts, type RawClient } from '../../../test/raw-client.ts'

let product: Product
let admin: Session
let lock: PoolClient

beforeAll(async () => {
  product = await createTestApp({ KARVON_DATABASE_READ_URL: '' }, { clientTimeouts: shortClientTimeouts })
  admin = await signInAdmin(product.app)
  await product.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => product.close())
// Calls that read offers wait for this lock.
beforeEach(async () => {
  lock = await product.deps.pool.connect()
  await lock.query('begin; lock table offers in access exclusive mode')
})
afterEach(() => lock.release())

const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'host: a', `authorization: ${admin.headers.authorization}`, ...headers, '\r\n'].join(
    '\r\n',
  )

/** Splits what a client received into answers with their status and their body, by their announced lengths. */
function readAnswers(received: string): { status: string; body: string }[] {
  if (received === '') return []
  const end = received.indexOf('\r\n\r\n') + 4
  const headers = received.slice(0, end)
  const length = Number(/content-length: (\d+)/i.exec(headers)?.[1])
  const body = received.slice(end, end + length)
  return [{ status: headers.slice(9, 12), body }, ...readAnswers(received.slice(end + length))]
}

const brokenRequests: [string, string, () => string][] = [
  ['a malformed request', '400', () => 'no request\r\n\r\n'],
  [
    'a request with too large headers',
    '431',
    () => `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
  ],
  [
    'a request with a malformed body',
    '400',
    () =>
      head('POST /api/admin/offers/', 'content-type: application/json', 'transfer-encoding: chunked') +
      'no length\r\n',
  ],
  [
    'a request whose body does not arrive',
    '408',
    () => head('POST /api/admin/offers/', 'content-type: application/json', 'content-length: 5000') + '{',
  ],
  ['a request whose headers do not arrive', '408', () => 'GET / HTTP/1.1\r\nhost: a\r\n'],
]

const isBlocked = async () => {
  const { rows } = await product.deps.sessionPool.query(
    `select from pg_locks where not granted and relation = $1::regclass
       and database = (select oid from pg_database where datname = current_database())`,
    ['offers'],
  )
  return rows.length > 0
}

test.each(brokenRequests)(
  'behind a request whose answer is running, %s is answered after it',
  async (_, status, text) => {
    const client: RawClient = connectRawClient(product.app, head('GET /api/admin/offers/') + text())
    await expect.poll(isBlocked).toBe(true)
    // Longer than the timeouts of a body and of headers.
    await sleep(1500)
    expect([client.getReceived(), client.isClosed()]).toEqual(['', false])
    await lock.query('commit')
    await expect.poll(() => client.isClosed()).toBe(true)
    const [first, second] = readAnswers(client.getReceived())
    expect(first?.status).toBe('200')
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ items: [] })
    expect([undefined, status]).toContain(second?.status)
    if (second !== undefined) expect(JSON.parse(second.body)).toMatchObject({ code: 'request_unreadable' })
  },
)
