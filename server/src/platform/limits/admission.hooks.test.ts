import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LightMyRequestResponse } from 'fastify'
import type { PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import {
  maxRequestUrlLength,
  maxIncomingBodies,
  maxIncomingBodiesPerAddress,
  maxDatabaseQueueForPublic,
  maxBodyBytes,
  maxBodyBytesPerPerson,
  maxQueryParameters,
  maxRequestsPerPerson,
} from './limits.ts'
import { getRefusalCounts } from '../http/refusals.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

const soon = { timeout: 30_000, interval: 20 }

/** A request whose body is not finished until `finish`. */
function openRequest(address: string, as?: Session, bytes?: number) {
  const body = new Readable({ read() {} })
  let answer: LightMyRequestResponse | null = null
  const answerPromise = product.app.inject({
    method: 'POST',
    url: as === undefined ? '/parcel/auth/login' : '/api/admin/offers/',
    remoteAddress: address,
    headers: {
      'content-type': 'application/json',
      ...(bytes === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': bytes }),
      ...as?.headers,
    },
    payload: body,
  })
  const ended = answerPromise.then((received) => (answer = received))
  ended.catch(() => {})
  return {
    answer: () => answer,
    abandon: () => body.destroy(new Error('gone')),
    finish: async () => {
      body.push('{}')
      body.push(null)
      return ended
    },
  }
}
type Open = ReturnType<typeof openRequest>

/** Sends requests, waits until the last `refusedCount` of them are answered, and returns these answers. */
async function refusedOf(requests: readonly Open[], refusedCount: number): Promise<LightMyRequestResponse[]> {
  const listAnswers = () => requests.flatMap((request) => request.answer() ?? [])
  await vi.waitFor(() => expect(listAnswers()).toHaveLength(refusedCount), soon)
  return listAnswers()
}

const address = (n: number) => `10.0.${n >> 8}.${n & 255}`

const expectWorking = async () => {
  const answer = await callApi(product.app, admin, 'GET', '/api/admin/offers/')
  expect(answer.statusCode).toBe(200)
}
const readStatus = ({ statusCode, headers }: LightMyRequestResponse) => [statusCode, headers['retry-after']]

test("a person's simultaneous requests are limited, from any number of addresses", async () => {
  const requests = Array.from({ length: maxRequestsPerPerson + 3 }, (_, n) =>
    openRequest(address(n), admin, 1),
  )
  const refusals = await refusedOf(requests, 3)
  for (const answer of refusals) expect(readStatus(answer)).toEqual([429, '1'])
  expect((await openRequest(address(1)).finish()).statusCode).toBe(422)
  await Promise.all(requests.map((request) => request.finish()))
  await expectWorking()
})

test("a person's incoming bodies are limited in total size", async () => {
  const maxRequests = Math.floor(maxBodyBytesPerPerson / maxBodyBytes)
  const requests = Array.from({ length: maxRequests + 3 }, () => openRequest('10.0.0.1', admin, maxBodyBytes))
  const refusals = await refusedOf(requests, 3)
  for (const answer of refusals) expect(readStatus(answer)).toEqual([429, '1'])
  for (const request of requests) request.abandon()
  await vi.waitFor(() => expect(product.app.countRequestsInProgress()).toMatchObject({ body_bytes: 0 }), soon)
})

test('slow anonymous bodies block neither signed-in people nor other addresses', async () => {
  const maxRequests = 4 * maxIncomingBodiesPerAddress
  const slow = Array.from({ length: maxRequests + 3 }, (_, n) => openRequest(address(n % 4)))
  const refusals = await refusedOf(slow, 3)
  for (const answer of refusals) expect(readStatus(answer)).toEqual([429, '1'])
  await expectWorking()
  expect((await openRequest(address(9)).finish()).statusCode).toBe(422)
  await Promise.all(slow.map((request) => request.finish()))
})

test('too many incoming anonymous bodies disconnect the oldest', async () => {
  const before = getRefusalCounts().get('slow_body') ?? 0
  const requests = Array.from({ length: maxIncomingBodies + 1 }, (_, n) => openRequest(address(n)))
  await vi.waitFor(() => expect(getRefusalCounts().get('slow_body')).toBe(before + 1), soon)
  await expectWorking()
  expect((await openRequest(address(9)).finish()).statusCode).toBe(422)
  for (const request of requests) request.abandon()
})

test('the requests in progress are counted for each class', async () => {
  expect(Object.keys(product.app.countRequestsInProgress()).toSorted()).toEqual([
    'arrivals',
    'body_bytes',
    'people',
    'probes',
    'public',
    'unauthenticated',
  ])
})

describe('No free database connection', () => {
  let heldClients: PoolClient[]
  const otherRequests = new Set<Promise<LightMyRequestResponse>>()
  const sendPostback = (n: number) => {
    const request = product.app.inject({ url: '/api/postback/nobody', remoteAddress: address(n) })
    otherRequests.add(request)
    return request
  }
  beforeEach(async () => {
    const { pool } = product.deps
    heldClients = []
    while (pool.totalCount < 10 || pool.idleCount > 0) heldClients.push(await pool.connect())
  })
  afterEach(async () => {
    for (const client of heldClients) client.release()
    await Promise.all(otherRequests)
  })

  test('a request is refused at once when too many wait for a database connection', async () => {
    const { options } = product.deps.pool
    const usualTimeout = options.connectionTimeoutMillis
    // The limit is high, so that no request times out meanwhile.
    options.connectionTimeoutMillis = 60_000
    try {
      for (let n = 0; n < maxDatabaseQueueForPublic; n += 1) void sendPostback(n)
      await vi.waitFor(() => expect(product.deps.pool.waitingCount).toBe(maxDatabaseQueueForPublic), soon)
      const before = getRefusalCounts().get('database') ?? 0
      const furtherAnswers = await Promise.all([1, 2, 3].map((n) => sendPostback(n)))
      expect(furtherAnswers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503])
      expect(furtherAnswers[0]?.headers['retry-after']).toBe('1')
      expect(getRefusalCounts().get('database')).toBe(before + 3)
      expect((await product.app.inject('/healthz')).statusCode).toBe(200)
    } finally {
      options.connectionTimeoutMillis = usualTimeout
    }
    for (const client of heldClients.splice(0)) client.release()
    await Promise.all(otherRequests)
    expect((await callApi(product.app, admin, 'GET', '/api/admin/offers/')).statusCode).toBe(200)
  })

  test('requests are refused at once after one has waited too long', async () => {
    const before = getRefusalCounts().get('database') ?? 0
    const first = sendPostback(1)
    await sleep(2000)
    const second = sendPostback(2)
    expect((await first).statusCode).toBe(503)
    const third = await sendPostback(3)
    expect([third.statusCode, third.headers['retry-after']]).toEqual([503, '1'])
    expect(getRefusalCounts().get('database')).toBe(before + 1)
    await second
  })
})

test('a too long address, path segment or query is refused', async () => {
  const long = await product.app.inject(`/api/app/settings?a=${'x'.repeat(maxRequestUrlLength)}`)
  expect([long.statusCode, long.json<{ code: string }>().code]).toEqual([414, 'address_too_long'])
  const segment = await product.app.inject(`/api/track/${'x'.repeat(300)}?phone=1234`)
  expect(segment.statusCode).toBe(414)
  const query = (count: number) => Array.from({ length: count }, (_, n) => `a${n}=1`).join('&')
  const maxAnswer = await product.app.inject(`/api/app/settings?${query(maxQueryParameters)}`)
  const excessAnswer = await product.app.inject(`/api/app/settings?${query(maxQueryParameters + 1)}`)
  expect([maxAnswer.statusCode, excessAnswer.statusCode]).toEqual([200, 400])
})

test('a database with an idle connection is not busy', async () => {
  const { app, deps } = product
  const clients = await Promise.all([deps.pool.connect(), deps.pool.connect()])
  for (const client of clients) client.release()
  const query = deps.pool.query('select 1')
  // The pool hands the idle connection over within this tick.
  expect(deps.pool.waitingCount).toBe(1)
  expect(app.isDatabaseBusy?.()).toBe(false)
  await query
})

test('one request of each person runs while requests wait for a connection of the database', async () => {
  const { app, deps } = product
  const clients = await Promise.all(Array.from({ length: deps.pool.options.max }, () => deps.pool.connect()))
  const waitingClient = deps.pool.connect()
  const [first, second] = [app.runningRequests.wait(-1), app.runningRequests.wait(-1)]
  const other = await app.runningRequests.wait(-2)
  expect(app.runningRequests.inUse).toBe(2)
  for (const client of clients) client.release()
  for (const release of [await first, other]) release()
  const releases = [await second, await app.runningRequests.wait(-1)]
  expect(app.runningRequests.inUse).toBe(2)
  for (const release of releases) release()
  ;(await waitingClient).release()
})
