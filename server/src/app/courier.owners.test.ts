import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { ParcelWithHistory } from '@karvon/contract/parcels/parcels.ts'
import type { CourierParcel } from '@karvon/testkit/fakes/measoft.xml.ts'
import type { SyncRun } from '@karvon/contract/syncs/syncs.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi, type Session } from '../../test/app.ts'
import { runCourierSyncs } from '../../test/jobs.ts'
import { buildParcelEvent, importParcels, listParcels } from '../../test/parcel.ts'
import { ago } from '../../test/moment.ts'
import { createUser, readId } from '../../test/people.ts'
import { createSample } from '../../test/sample.ts'
import { createSettlementFixture, dayAgo, type SettlementFixture } from '../../test/settlements.ts'
import { storeParcels } from '../domains/parcels/parcels.store.ts'

let fixture: SettlementFixture
let app: SettlementFixture['product']['app']
let admin: Session
let aziz: Session
let malika: Session
let malikaId: number
/** A courier account of Aziz at the start of each test. Malika has none. */
let account: number

beforeAll(async () => {
  fixture = await createSettlementFixture()
  ;({ admin, aziz } = fixture)
  ;({ app } = fixture.product)
  malika = await createUser(app, admin, 'malika')
  malikaId = await readId(app, admin, '/api/admin/users/?username=malika')
  await deleteAccount(fixture.account)
})
beforeEach(async () => {
  account = await createAccount()
})
afterEach(async () => {
  fixture.courier.faults = {}
  for (const table of ['parcel_events', 'parcels', 'courier_accounts'])
    await fixture.query(`delete from ${table}`)
})
afterAll(() => fixture.close())

async function createAccount(): Promise<number> {
  const login = { url: fixture.courier.url, extra: '8', login: 'karvon', pass: 'secret' }
  const body = { ...login, user_id: fixture.azizId, settlement_days: null, is_active: true }
  return (await createSample(app, admin, courierAccounts, body)).id
}

async function deleteAccount(id: number): Promise<void> {
  expect((await callApi(app, admin, 'DELETE', `/api/admin/courier-accounts/${id}/`)).statusCode).toBe(200)
}

const steps = ['NEW', 'ACCEPTED', 'DELIVERY', 'COMPLETE', 'RETURNED']

/** An order of the courier after some of {@link steps}, one a day until yesterday. */
function publish(orderno: string, stepCount: number, changes: Partial<CourierParcel> = {}): void {
  const statuses = steps
    .slice(0, stepCount)
    .map((code, n) => ({ code, title: code, eventtime: `${dayAgo(steps.length - n)} 10:00:00` }))
  const texts = {
    person: 'Азиза',
    phone: '1',
    town: 'T',
    address: 'A',
    weight: '1',
    price: '1',
    collected: '100000',
  }
  fixture.courier.publish({ orderno, ...texts, statuses, ...changes })
}

async function setOwner(userId: number): Promise<void> {
  const answer = await callApi(app, admin, 'PUT', `/api/admin/courier-accounts/${account}/`, {
    user_id: userId,
  })
  expect(answer.statusCode, answer.body).toBe(200)
}

/** Syncs the account, and answers the status of the last run. */
async function run(): Promise<string | undefined> {
  await callApi(app, admin, 'POST', `/api/admin/courier-accounts/${account}/run/`)
  await runCourierSyncs(fixture.product.deps)
  const url = `/api/admin/sync-runs/?courier_account_id=${account}&per_page=1`
  return (await callApi(app, admin, 'GET', url)).json<Page<SyncRun>>().items[0]?.status
}
const sync = async () => expect(await run()).toBe('done')

/** The parcels that a person sees, as lines of order number and status. */
const readOwn = async (session: Session) =>
  (await listParcels(app, session, 'sort=orderno')).map(({ orderno, status }) => `${orderno} ${status.code}`)

test('an order under way stays with the person who had the courier account first, and a new order goes to its new person', async () => {
  publish('way', 2)
  publish('done', 4)
  await sync()
  await setOwner(malikaId)
  publish('way', 4)
  publish('done', 5)
  publish('new', 2)
  await sync()
  expect(await readOwn(aziz)).toEqual(['done RETURNED', 'way DELIVERED'])
  expect(await readOwn(malika)).toEqual(['new PROCESSING'])
  expect(await listParcels(app, admin, '')).toHaveLength(3)
  const [way] = await listParcels(app, aziz, 'orderno=way')
  const url = `/api/parcel/parcels/${way?.id}`
  expect((await callApi(app, aziz, 'GET', url)).json<ParcelWithHistory>().history).toHaveLength(4)
  expect((await callApi(app, malika, 'GET', url)).statusCode).toBe(404)
  // The account returns to its first person, and the orders of Malika stay with her.
  await setOwner(fixture.azizId)
  publish('new', 4)
  publish('newest', 1)
  await sync()
  expect(await readOwn(aziz)).toEqual(['done RETURNED', 'newest PENDING', 'way DELIVERED'])
  expect(await readOwn(malika)).toEqual(['new DELIVERED'])
})

test('an order of an order file belongs to its person after the first event of the courier', async () => {
  const order = buildParcelEvent('file', 'NEW', { owner_id: fixture.azizId, eventtime: ago(0) })
  await storeParcels(fixture.product.deps.db, [order], { isFromOrderFile: true })
  await importParcels(app, admin, ['orderno,owner,status,event_time', `import,aziz,NEW,${dayAgo(6)}`])
  publish('file', 1)
  publish('import', 1)
  await sync()
  await setOwner(malikaId)
  publish('file', 4)
  publish('import', 4)
  await sync()
  expect(await readOwn(aziz)).toEqual(['file DELIVERED', 'import DELIVERED'])
  expect(await readOwn(malika)).toEqual([])
})

/** The versions of all parcels and events. An update without a change is seen too. */
const readVersions = () =>
  fixture.query(`select p.owner_id, p.xmin::text, e.xmin::text as event, e.raw_code
    from parcels p join parcel_events e on e.parcel_id = p.id order by e.id`)

test('events that the courier sends again after its account got another person change nothing', async () => {
  publish('a', 3)
  const undated = { code: 'DELIVERY', title: 'DELIVERY', eventtime: '2090-01-01 10:00:00' }
  publish('undated', 0, { statuses: [undated] })
  fixture.courier.faults = { forget_commit: 1 }
  expect(await run()).toBe('failed')
  const before = await readVersions()
  expect(before).toHaveLength(4)
  await setOwner(malikaId)
  fixture.courier.faults = {}
  await sync()
  expect(await readVersions()).toEqual(before)
})

test('an account that gets another person while its run waits stores nothing, and the next run finds the owners', async () => {
  publish('known', 1)
  await sync()
  publish('known', 4)
  publish('new', 2)
  const holder = await fixture.product.deps.pool.connect()
  try {
    await holder.query('begin')
    const { rows } = await holder.query<{ pid: number }>(
      `select pg_backend_pid() as pid from parcels where orderno = 'known' for update`,
    )
    const running = run()
    const countWaiting = async () =>
      (
        await fixture.query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [
          rows[0]?.pid,
        ])
      ).length
    await expect.poll(countWaiting).toBe(1)
    await setOwner(malikaId)
    await holder.query('commit')
    expect(await running).toBe('done')
  } finally {
    holder.release()
  }
  expect(await readOwn(aziz)).toEqual(['known DELIVERED'])
  expect(await readOwn(malika)).toEqual(['new PROCESSING'])
})

test('a deleted account leaves its parcels to their persons, and a new account of the person reports them', async () => {
  publish('way', 2)
  await sync()
  await deleteAccount(account)
  account = await createAccount()
  publish('way', 3)
  await sync()
  await setOwner(malikaId)
  publish('way', 4)
  await sync()
  expect(await readOwn(aziz)).toEqual(['way DELIVERED'])
  expect(await readOwn(malika)).toEqual([])
})

// The last test, because it ends the session of Aziz.
test('the orders of a person who was deactivated get their events, and an account of such a person is not synced', async () => {
  publish('way', 2)
  await sync()
  await callApi(app, admin, 'PUT', `/api/admin/users/${fixture.azizId}/deactivate`)
  publish('way', 4)
  publish('new', 1)
  await run()
  expect(await listParcels(app, admin, 'orderno=way')).toMatchObject([{ status: { code: 'PROCESSING' } }])
  await setOwner(malikaId)
  await sync()
  expect(await listParcels(app, admin, 'orderno=way')).toMatchObject([
    { status: { code: 'DELIVERED' }, owner: { name: 'aziz' } },
  ])
  expect(await readOwn(malika)).toEqual(['new PENDING'])
})
