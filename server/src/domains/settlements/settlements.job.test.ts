import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SettlementDifference } from '@karvon/contract/settlements/differences.ts'
import { callApi } from '../../../test/app.ts'
import { courierTariffs } from '@karvon/contract/courier-tariffs/courier-tariffs.ts'
import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { sendFile } from '../../../test/files.ts'
import { readId } from '../../../test/people.ts'
import { createSample } from '../../../test/sample.ts'
import { createSettlementFixture, dayAgo, type SettlementFixture } from '../../../test/settlements.ts'
import { startJobs } from '../../platform/jobs/jobs.ts'
import { settlementDifferencesJob } from './settlements.job.ts'
import { recheckAct } from './settlements.store.ts'

let fixture: SettlementFixture

beforeAll(async () => {
  fixture = await createSettlementFixture()
})
afterAll(() => fixture.close())

test('the job of differences compares an act whose parcel has just changed once, and not again at once', async () => {
  await fixture.addParcels(fixture.azizId, [{ orderno: 'J-1', cash: 100_000 }])
  fixture.courier.acts?.set('J', {
    code: 'J',
    number: 'J',
    actdate: dayAgo(3),
    lines: [{ code: 'J-1', orderno: 'J-1', rur: '100000.00', pricekur: '20000.00', priceag: '1500.00' }],
  })
  await fixture.fetchActs()
  await fixture.query(`update settlement_acts set checked_at = now() - interval '1 day'`)
  await fixture.query('update parcels set updated_at = now()')
  let runs = 0
  const job = settlementDifferencesJob(fixture.product.deps)
  const running = startJobs({ ...fixture.product.deps, metrics: new Registry() }, [
    {
      ...job,
      run: (signal) => {
        runs += 1
        return job.run(signal)
      },
    },
  ])
  const checked = `select checked_at > now() - interval '1 hour' as is_checked from settlement_acts`
  await expect.poll(() => fixture.query(checked)).toEqual([{ is_checked: true }])
  await sleep(3000)
  await running.stop()
  expect(runs).toBeLessThanOrEqual(2)
})

test('the job of differences compares more acts than it reads at once', async () => {
  const acts = Array.from({ length: 5 }, (_, n) => `B-${n},${dayAgo(3)},B-${n},10`)
  const content = ['act_number,act_date,orderno,collected', ...acts].join('\n')
  const { product, admin, account } = fixture
  const url = '/api/admin/settlements/import/'
  const fields = { courier_account_id: String(account) }
  const answer = await sendFile(product.app, admin, url, { name: 'acts.csv', content }, fields)
  expect(answer.json()).toMatchObject({ imported: acts.length, skipped: 0 })
  await fixture.query('update settlement_acts set checked_at = null')
  await settlementDifferencesJob(product.deps, { batchSize: 2 }).run(new AbortController().signal)
  expect(
    await fixture.query(`select count(*)::int as acts from settlement_acts where checked_at is null`),
  ).toEqual([{ acts: 0 }])
})

test('an act whose tariff changes while it is compared is compared again', async () => {
  const { product, admin, account } = fixture
  const { db } = product.deps
  await fixture.addParcels(fixture.azizId, [{ orderno: 'T-1', cash: 100_000 }])
  const content = `act_number,act_date,orderno,collected,delivery_fee\nT,${dayAgo(3)},T-1,100000,20000`
  const fields = { courier_account_id: String(account) }
  await sendFile(product.app, admin, '/api/admin/settlements/import/', { name: 'act.csv', content }, fields)
  const [act] = await fixture.query<{ id: number }>(`select id from settlement_acts where number = 'T'`)
  const blocker = await db.startTransaction().execute()
  // The comparison waits here behind its statements about the tariff.
  await sql`lock table ledger_entries in exclusive mode`.execute(blocker)
  const comparison = recheckAct(db, { id: act?.id ?? 0, courier_account_id: account })
  await sleep(300)
  const body = { courier_account_id: account, delivery_fee: 15_000, cash_percent: null, cash_fee: null }
  const change = createSample(product.app, admin, courierTariffs, { ...body, valid_from: dayAgo(30) })
  await sleep(300)
  await blocker.rollback().execute()
  await Promise.all([comparison, change])
  await fixture.runJob()
  expect(
    await fixture.query(`select kind, expected, actual from settlement_differences where orderno = 'T-1'`),
  ).toEqual([{ kind: 'fee', expected: 15_000, actual: 20_000 }])
})

test('the amount of a missing parcel follows the parcel and its account until an act has the parcel', async () => {
  const { product, admin, account } = fixture
  await fixture.addParcels(fixture.azizId, [{ orderno: 'M-1', cash: 8000 }])
  const readMissing = async () => {
    const url = '/api/admin/settlement-differences/?kind=missing&orderno=M-1'
    return (await callApi(product.app, admin, 'GET', url)).json<{ items: SettlementDifference[] }>().items
  }
  const setTerm = (days: number) =>
    callApi(product.app, admin, 'PUT', `/api/admin/courier-accounts/${account}/`, { settlement_days: days })
  const setCash = (cash: number) =>
    fixture.query(`update parcels set cod_amount = $1 where orderno = 'M-1'`, [cash])
  await fixture.runJob()
  const [missing] = await readMissing()
  expect(missing).toMatchObject({ status: 'open', expected: 8000, difference: -8000 })
  await setCash(9000)
  await fixture.runJob()
  expect(await readMissing()).toMatchObject([{ status: 'open', expected: 9000, difference: -9000 }])
  await setTerm(30)
  await fixture.runJob()
  expect(await readMissing()).toMatchObject([{ status: 'resolved', resolved_by: null }])
  await setTerm(19)
  await fixture.runJob()
  expect(await readMissing()).toMatchObject([{ id: missing?.id, status: 'open', expected: 9000 }])
  const resolution = { status: 'resolved', note: 'Paid in cash' }
  await callApi(product.app, admin, 'PUT', `/api/admin/settlement-differences/${missing?.id}/`, resolution)
  await fixture.runJob()
  expect(await readMissing()).toMatchObject([{ status: 'resolved', reason: 'Paid in cash' }])
  await setCash(9500)
  await fixture.runJob()
  expect(await readMissing()).toMatchObject([
    { status: 'open', expected: 9500, reason: null, notes_total: 1 },
  ])
})

test('no parcel of an account is missing while all of its acts are voided', async () => {
  const { product, admin } = fixture
  const owner = await readId(product.app, admin, '/api/admin/users/?username=admin')
  await fixture.addParcels(owner, [{ orderno: 'V-1', cash: 5000 }])
  const body = { user_id: owner, settlement_days: null }
  const { id } = await createSample(product.app, admin, courierAccounts, body)
  const file = { name: 'acts.csv', content: `act_number,act_date,orderno,collected\nV,${dayAgo(3)},other,10` }
  const importAct = () =>
    sendFile(product.app, admin, '/api/admin/settlements/import/', file, { courier_account_id: String(id) })
  const readMissing = async () => {
    await fixture.runJob()
    return fixture.query(
      `select status from settlement_differences where kind = 'missing' and orderno = 'V-1'`,
    )
  }
  await importAct()
  expect(await readMissing()).toEqual([{ status: 'open' }])
  const [act] = await fixture.query<{ id: number }>(`select id from settlement_acts where number = 'V'`)
  const reason = { reason: 'Another account' }
  await callApi(product.app, admin, 'POST', `/api/admin/settlements/${act?.id}/void/`, reason)
  expect(await readMissing()).toEqual([{ status: 'resolved' }])
  expect(await readMissing()).toEqual([{ status: 'resolved' }])
  await importAct()
  expect(await readMissing()).toEqual([{ status: 'open' }])
})
