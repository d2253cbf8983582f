import type { SyncHealth } from '@karvon/contract/lib/sync-health.ts'
import type { SyncRun } from '@karvon/contract/syncs/syncs.ts'
import type { FakeMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi, type Product, type Session } from '../../test/app.ts'
import { createCourierFixture, type CourierFixture } from '../../test/courier.ts'
import { runCourierSyncs } from '../../test/jobs.ts'
import { removeRequestedDay } from '../domains/courier-accounts/courier-accounts.queries.ts'

let fixture: CourierFixture
let product: Product
let admin: Session
let fakeCourier: FakeMeasoft
let account: number

beforeAll(async () => {
  fixture = await createCourierFixture()
  ;({ product, admin, fakeCourier } = fixture)
  account = await fixture.createAccount()
})

afterAll(() => fixture.close())

/** Publishes an order of each day from 1 to 5 November, fetches and commits them, and then loses them, as a restore does. */
beforeEach(async () => {
  for (const day of [1, 2, 3, 4, 5]) fakeCourier.publish(createOrder(`2026-11-0${day}`))
  await requestRun()
  await runCourierSyncs(product.deps)
  await product.deps.pool.query('delete from parcel_events')
  await product.deps.pool.query('delete from parcels')
  fakeCourier.requests.length = 0
})

const createOrder = (day: string) => ({
  orderno: day,
  person: 'Азиза',
  phone: '+998901234567',
  town: 'Ташкент',
  address: 'Навои 1',
  weight: '1',
  price: '25000',
  day,
  statuses: [
    { code: 'NEW', title: 'Новый', eventtime: `${day} 09:00:00` },
    { code: 'COMPLETE', title: 'Доставлен', eventtime: `${day} 18:00:00` },
  ],
})

const accountPath = () => `/api/admin/courier-accounts/${account}`

const requestRun = () => callApi(product.app, admin, 'POST', `${accountPath()}/run/`)

const requestOrders = (date_from: string, date_to: string) =>
  callApi(product.app, admin, 'POST', `${accountPath()}/fetch-orders/`, { date_from, date_to })

async function listOrders(): Promise<string[]> {
  const answer = await callApi(product.app, admin, 'GET', '/api/parcel/parcels/all?limit=200')
  return answer
    .json<{ items: { orderno: string }[] }>()
    .items.map(({ orderno }) => orderno)
    .toSorted()
}

async function readRequestedOrders(): Promise<SyncHealth['requested_orders'] | undefined> {
  const answer = await callApi(product.app, admin, 'GET', `${accountPath()}/`)
  return answer.json<{ health: SyncHealth }>().health.requested_orders
}

async function readLastRun(): Promise<SyncRun | undefined> {
  const answer = await callApi(product.app, admin, 'GET', '/api/admin/sync-runs/?per_page=1')
  return answer.json<{ items: SyncRun[] }>().items[0]
}

test('orders that the courier does not list as changed are fetched again by the days of their creation', async () => {
  await requestRun()
  await runCourierSyncs(product.deps)
  expect(await listOrders(), 'an ordinary run').toEqual([])

  const answer = await requestOrders('2026-11-02', '2026-11-04')
  expect(answer.statusCode, answer.body).toBe(202)
  expect(answer.json()).toMatchObject({ id: account, running: false })
  expect(await readRequestedOrders()).toEqual({ from: '2026-11-02', to: '2026-11-04' })
  await runCourierSyncs(product.deps)
  expect(await listOrders()).toEqual(['2026-11-02', '2026-11-03', '2026-11-04'])
  expect(await readLastRun()).toMatchObject({ status: 'done', counts: { rows: 3, created: 3 } })
  expect(await readRequestedOrders()).toBeNull()

  const search = '/api/parcel/parcels/search?search=2026-11-03'
  const [found] = (await callApi(product.app, admin, 'GET', search)).json<{ items: { id: number }[] }>().items
  const parcel = await callApi(product.app, admin, 'GET', `/api/parcel/parcels/${found?.id}`)
  expect(parcel.json()).toMatchObject({
    status: { code: 'DELIVERED', eventtime: '2026-11-03T18:00:00+05:00' },
    history: [{ raw_code: 'COMPLETE' }, { raw_code: 'NEW' }],
  })

  await requestOrders('2026-11-02', '2026-11-04')
  await runCourierSyncs(product.deps)
  expect(await readLastRun(), 'the same days again').toMatchObject({
    counts: { rows: 3, created: 0, updated: 0 },
  })
})

test('a day that fails is fetched by the next run, and the other parts of the run are not lost', async () => {
  const isSecondDay = () =>
    fakeCourier.requests.at(-1)?.name === 'statusreq' &&
    fakeCourier.requests.filter(({ name }) => name === 'statusreq').length === 3
  fakeCourier.faults = { broken: 0.5, chance: () => (isSecondDay() ? 0 : 1) }
  await requestOrders('2026-11-01', '2026-11-05')
  await runCourierSyncs(product.deps)
  fakeCourier.faults = {}
  expect(await readLastRun()).toMatchObject({
    status: 'partial',
    reasons: [{ part: 'requested_parcels', message: 'The courier answered 500.' }],
  })
  expect(fakeCourier.requests.map(({ name }) => name)).toContain('smalist')
  expect(await listOrders()).toEqual(['2026-11-01'])
  expect(await readRequestedOrders()).toEqual({ from: '2026-11-02', to: '2026-11-05' })

  await requestRun()
  await runCourierSyncs(product.deps)
  expect(await listOrders()).toHaveLength(5)
  expect(await readRequestedOrders()).toBeNull()
})

test('a new period replaces one that is not fetched yet, also while a day of that one is fetched', async () => {
  await requestOrders('2026-11-01', '2026-11-02')
  await requestOrders('2026-11-05', '2026-11-05')
  await removeRequestedDay(product.deps.db, account, '2026-11-01')
  expect(await readRequestedOrders()).toEqual({ from: '2026-11-05', to: '2026-11-05' })
  await runCourierSyncs(product.deps)
  expect(await listOrders()).toEqual(['2026-11-05'])
})

test.each([
  ['days in the wrong order', { date_from: '2026-11-02', date_to: '2026-11-01' }, 'date_from'],
  ['more than a year', { date_from: '2025-11-01', date_to: '2026-11-02' }, 'date_to'],
  ['a day that does not exist', { date_from: '2026-02-30', date_to: '2026-11-01' }, 'date_from'],
  ['a missing day', { date_from: '2026-11-01' }, 'date_to'],
])('a request for orders with %s answers 422', async (_problem, body, field) => {
  const answer = await callApi(product.app, admin, 'POST', `${accountPath()}/fetch-orders/`, body)
  expect(answer.statusCode, answer.body).toBe(422)
  expect(answer.json<{ errors: { field: string }[] }>().errors.map((error) => error.field)).toContain(field)
  expect(await readRequestedOrders()).toBeNull()
})

test('a request for orders of an unknown account answers 404', async () => {
  const body = { date_from: '2026-11-01', date_to: '2026-11-01' }
  const answer = await callApi(
    product.app,
    admin,
    'POST',
    '/api/admin/courier-accounts/999999/fetch-orders/',
    body,
  )
  expect(answer.statusCode).toBe(404)
})
