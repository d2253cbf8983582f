import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import type { SyncRun } from '@karvon/contract/syncs/syncs.ts'
import type { FakeMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import type { CourierParcel } from '@karvon/testkit/fakes/measoft.xml.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, type Product, type Session } from '../../test/app.ts'
import { createCourierFixture, type CourierFixture } from '../../test/courier.ts'
import { sendFile } from '../../test/files.ts'
import { runSyncs } from '../../test/jobs.ts'
import { minute, now } from '../../test/moment.ts'
import { createUser, readOwnId } from '../../test/people.ts'
import type { OutgoingRequest } from '../platform/outgoing-http/outgoing.ts'
import { OutgoingError } from '../platform/outgoing-http/outgoing.error.ts'

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

async function runNow(deps = product.deps): Promise<SyncRun> {
  await callApi(product.app, admin, 'POST', `/api/admin/courier-accounts/${account}/run/`)
  await runSyncs(deps)
  const url = `/api/admin/sync-runs/?courier_account_id=${account}&per_page=1`
  const [run] = (await callApi(product.app, admin, 'GET', url)).json<{ items: SyncRun[] }>().items
  if (run === undefined) throw new Error('No run')
  return run
}

const way = [
  ['NEW', 'Новый'],
  ['ACCEPTED', 'Получен складом'],
] as const

const parcel = (orderno: string, steps: number): CourierParcel => ({
  orderno,
  person: 'Ойгул',
  phone: '+998901234567',
  town: 'Самарқанд',
  address: 'Регистон 1',
  weight: '1.250',
  price: '25000.50',
  statuses: way.slice(0, steps).map(([code, title], at) => ({
    code,
    title,
    eventtime: `2026-11-20 1${at}:00:00`,
  })),
})

async function readParcel(orderno: string) {
  const { rows } = await sql<{ raw: string; is_past: boolean; events: number }>`
    select p.status_raw as raw, p.eventtime <= now() as is_past,
      (select count(*)::int from parcel_events e where e.parcel_id = p.id) as events
    from parcels p where p.orderno = ${orderno}`.execute(product.deps.db)
  return rows[0]
}

test('all events of an order are applied at once in an answer with more events than one batch', async () => {
  const orders = Array.from({ length: 40 }, (_, at) => `BATCH-${at}`)
  const { id: source_id } = (
    await callApi(product.app, admin, 'POST', '/api/admin/cpa-sources/', {
      name: 'Network',
      url: 'https://network.example',
    })
  ).json<{ id: number }>()
  const content = `external_id,created_at,status,payout\n${orders.at(-1)},2026-11-19,sent,10\n`
  const file = { name: 'leads.csv', content }
  await sendFile(product.app, admin, '/api/admin/leads/import/', file, { source_id: String(source_id) })
  const delivered = Array.from({ length: 25 }, (_, at) => ({
    code: 'COMPLETE',
    title: 'Доставлен',
    eventtime: `2026-11-20 10:${10 + at}:00`,
  }))
  // The answer has the current status twice, so each order has 25 events. A status that is years ahead is the last event.
  const returned = { code: 'RETURNED', title: 'Возвращен', eventtime: '2199-01-01 10:00:00' }
  for (const orderno of orders)
    fakeCourier.publish({
      ...parcel(orderno, 0),
      statuses: orderno === orders.at(-1) ? [...delivered, returned] : delivered.slice(1),
    })
  expect(await runNow()).toMatchObject({ status: 'done', counts: { rows: 40, created: 40 } })
  const leads = await callApi(product.app, admin, 'GET', `/api/admin/leads/?source_id=${source_id}`)
  const [{ id } = { id: 0 }] = leads.json<{ items: { id: number }[] }>().items
  expect((await callApi(product.app, admin, 'GET', `/api/admin/leads/${id}/`)).json()).toMatchObject({
    column: 'returned',
    history: [{ origin: 'parcel', reason: 'The parcel was returned' }, { origin: 'file' }],
  })
})

test('a current status months ahead counts as of its receipt, once, and the next status replaces it', async () => {
  const orderno = 'AHEAD-1'
  const ahead = { code: 'DELIVERY', title: 'Выдан курьеру на доставку', eventtime: '2199-01-01 10:00:00' }
  const known = parcel(orderno, 2)
  known.statuses.push(ahead)
  for (let times = 1; times <= 2; times++) {
    fakeCourier.publish(known)
    expect(await runNow()).toMatchObject({ status: 'done' })
    expect(await readParcel(orderno)).toEqual({ raw: 'DELIVERY', is_past: true, events: 3 })
  }
  const next = {
    code: 'COMPLETE',
    title: 'Доставлен',
    eventtime: new Date(now() + minute).toISOString().slice(0, 19) + 'Z',
  }
  fakeCourier.publish({ ...known, statuses: [...known.statuses, next] })
  await runNow()
  expect(await readParcel(orderno)).toMatchObject({ raw: 'COMPLETE', events: 4 })
})

test('a courier that never stores the commit fails the run after some equal answers', async () => {
  fakeCourier.publish(parcel('AGAIN-1', 1))
  fakeCourier.faults = { forget_commit: 1 }
  const { length: before } = fakeCourier.requests
  expect(await runNow()).toMatchObject({
    status: 'failed',
    error: 'The courier sends the same orders again, although they were confirmed.',
  })
  expect(fakeCourier.requests.length - before).toBeLessThan(10)
  fakeCourier.faults = {}
  expect(await runNow()).toMatchObject({ status: 'done', counts: { rows: 1, created: 0 } })
})

test('an account that gets another person during its run stores no further parcel of the first one', async () => {
  const other = await createUser(product.app, admin, 'other')
  const id = await readOwnId(product.app, other)
  fakeCourier.publish(parcel('MOVED-1', 1))
  let isMoved = false
  const request = async (outgoingRequest: OutgoingRequest) => {
    const answer = await product.deps.outgoing.request(outgoingRequest)
    if (!isMoved && answer.text.includes('MOVED-1')) {
      isMoved = true
      const path = `/api/admin/courier-accounts/${account}`
      await callApi(product.app, admin, 'PUT', path, { user_id: id })
    }
    return answer
  }
  const outgoing = { ...product.deps.outgoing, request }
  expect(await runNow({ ...product.deps, outgoing })).toMatchObject({
    status: 'done',
    counts: { created: 1 },
  })
  const { rows } = await sql`select owner_id from parcels where orderno = 'MOVED-1'`.execute(product.deps.db)
  expect(rows).toEqual([{ owner_id: id }])
})

test('a courier that does not answer fails the run after one timeout', async () => {
  let requests = 0
  const request = async () => {
    requests += 1
    throw new OutgoingError('timeout', describeSync('host_timeout', { host: 'courier.example' }))
  }
  const outgoing = { ...product.deps.outgoing, request }
  expect(await runNow({ ...product.deps, outgoing })).toMatchObject({
    status: 'failed',
    error: 'courier.example did not answer in time.',
  })
  expect(requests).toBe(1)
})

test('of an order with more than 1,000 statuses the current one is stored', async () => {
  const long = parcel('LONG-1', 1)
  const [status] = long.statuses
  if (status === undefined) throw new Error('No status')
  const current = { ...status, code: 'ACCEPTED', eventtime: '2026-11-21 08:00:00' }
  fakeCourier.publish({ ...long, statuses: [...Array.from({ length: 1001 }, () => status), current] })
  expect(await runNow()).toMatchObject({ status: 'done', counts: { created: 1, unreadable: 1 } })
  expect(await readParcel('LONG-1')).toMatchObject({ raw: 'ACCEPTED' })
})
