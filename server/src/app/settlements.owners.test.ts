import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { OwnSettlementAct, OwnSettlementLine } from '@karvon/contract/settlements/settlements.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { callApi, testKey, type Session } from '../../test/app.ts'
import { sendFile } from '../../test/files.ts'
import { listLedgerDifferences } from '../../test/ledger-differences.ts'
import { createUser, readId } from '../../test/people.ts'
import { createSample } from '../../test/sample.ts'
import {
  createSettlementFixture,
  dayAgo,
  readOpenDifferences,
  type SettlementFixture,
} from '../../test/settlements.ts'
import { createEncryption } from '../platform/security/encryption.ts'
import { checkInstallation } from './check.ts'

let fixture: SettlementFixture
let malika: Session
let malikaId: number

beforeEach(async () => {
  await (fixture as SettlementFixture | undefined)?.close()
  fixture = await createSettlementFixture()
  const { product, admin } = fixture
  malika = await createUser(product.app, admin, 'malika')
  malikaId = await readId(product.app, admin, '/api/admin/users/?username=malika')
})
afterAll(() => fixture.close())

const call = (session: Session, url: string) => callApi(fixture.product.app, session, 'GET', url)
const setOwner = (user_id: number) =>
  callApi(fixture.product.app, fixture.admin, 'PUT', `/api/admin/courier-accounts/${fixture.account}/`, {
    user_id,
  })

/** An order that the courier accepted 25 days ago, and delivered 20 days ago. */
function publish(orderno: string, collected: string, isDelivered = true): void {
  const status = (code: string, days: number) => ({
    code,
    title: code,
    eventtime: `${dayAgo(days)} 10:00:00`,
  })
  const texts = { person: 'Азиза', phone: '1', town: 'T', address: 'A', weight: '1', price: '1' }
  const statuses = [status('ACCEPTED', 25), ...(isDelivered ? [status('COMPLETE', 20)] : [])]
  fixture.courier.publish({ orderno, ...texts, collected, statuses })
}

const setAct = (collected: Record<string, string>) =>
  fixture.courier.acts?.set('7', {
    code: '7',
    number: 'A-7',
    actdate: dayAgo(3),
    lines: Object.entries(collected).map(([orderno, rur]) => {
      return { code: orderno, orderno, rur, pricekur: '20000.00', priceag: '0.00' }
    }),
  })

async function sync(): Promise<void> {
  expect(await fixture.fetchActs()).toMatchObject({ status: 'done', error: null })
}

/** What a person sees of the acts: the sums, and the order numbers of the lines. */
async function readOwn(session: Session) {
  const { items } = (await call(session, '/api/user/settlements/')).json<Page<OwnSettlementAct>>()
  const lines = await Promise.all(
    items.map(
      async ({ id }) =>
        (await call(session, `/api/user/settlements/${id}/lines`)).json<Page<OwnSettlementLine>>().items,
    ),
  )
  const orders = lines.flat().map(({ orderno }) => orderno)
  const { on_hold } = (await call(session, '/api/user/balance')).json<{ on_hold: number }>()
  return { collected: items[0]?.collected, due: items[0]?.due, orders: orders.toSorted(), on_hold }
}

const checkFaults = () => {
  const { databaseUrl: url, deps } = fixture.product
  const { timeZone } = deps.config
  return checkInstallation({ url, timeZone, files: deps.files, encryption: createEncryption([testKey]) })
}

test('an act of an account that got another person has the lines, sums and money of both persons', async () => {
  publish('former', '70000', true)
  publish('way', '100000', false)
  publish('lost', '30000', false)
  await sync()
  await setOwner(malikaId)
  publish('way', '100000')
  publish('lost', '30000')
  publish('new', '50000')
  setAct({ former: '70000.00', way: '100000.00', new: '50000.00' })
  await sync()
  await fixture.runJob()
  expect(await readOwn(fixture.aziz)).toEqual({
    collected: 170_000,
    due: 130_000,
    orders: ['former', 'way'],
    on_hold: 130_000,
  })
  expect(await readOwn(malika)).toEqual({ collected: 50_000, due: 30_000, orders: ['new'], on_hold: 30_000 })
  // The order that is in no act is the money of its person at the account.
  expect(
    await fixture.query(`select d.orderno, d.kind, d.courier_account_id, p.owner_id
      from settlement_differences d join parcels p on p.id = d.parcel_id where d.status = 'open'`),
  ).toEqual([
    { orderno: 'lost', kind: 'missing', courier_account_id: fixture.account, owner_id: fixture.azizId },
  ])
  expect(await listLedgerDifferences(fixture.product.deps.pool)).toEqual([])
  const { lines, faults } = await checkFaults()
  expect([lines, faults]).toEqual([expect.any(Array), 0])
})

test('a line without a parcel finds the parcel of the former person when the courier reports the order', async () => {
  setAct({ late: '100000.00' })
  await sync()
  expect(await readOpenDifferences(fixture)).toEqual(['late unknown_order'])
  publish('late', '100000')
  await sync()
  await setOwner(malikaId)
  await fixture.runJob()
  expect(await readOpenDifferences(fixture)).toEqual([])
  expect(await readOwn(fixture.aziz)).toMatchObject({ orders: ['late'], on_hold: 80_000 })
  expect(await readOwn(malika)).toMatchObject({ orders: [], on_hold: 0 })
  expect(await listLedgerDifferences(fixture.product.deps.pool)).toEqual([])
})

test('a missing parcel is counted for the account that reported it, by the acts and the days of this account', async () => {
  const { product, admin, azizId, account } = fixture
  const readMissing = async () => {
    await fixture.runJob()
    return fixture.query(
      `select courier_account_id as account from settlement_differences where kind = 'missing' and status = 'open'`,
    )
  }
  const importAct = (courierAccount: number) => {
    const content = `act_number,act_date,orderno,collected\nF,${dayAgo(3)},other,10`
    const fields = { courier_account_id: String(courierAccount) }
    return sendFile(product.app, admin, '/api/admin/settlements/import/', { name: 'a.csv', content }, fields)
  }
  await fixture.addParcels(azizId, [{ orderno: 'm', cash: 5000 }])
  await importAct(account)
  expect(await readMissing()).toEqual([{ account }])
  const body = { user_id: azizId, settlement_days: null, is_active: false }
  const { id: other } = await createSample(product.app, admin, courierAccounts, body)
  await fixture.query('update parcels set courier_account_id = $1', [other])
  expect(await readMissing()).toEqual([])
  await importAct(other)
  expect(await readMissing()).toEqual([{ account: other }])
  await fixture.query('update parcels set courier_account_id = $1', [account])
  expect(await readMissing()).toEqual([{ account }])
  await fixture.query('update courier_accounts set settlement_days = 30 where id = $1', [account])
  expect(await readMissing()).toEqual([])
})
