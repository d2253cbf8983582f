import type { SettlementAct } from '@karvon/contract/settlements/settlements.ts'
import type { SettlementDifferenceWithNotes } from '@karvon/contract/settlements/differences.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import {
  countUnexplained,
  createSettlementFixture,
  dayAgo,
  plantFaults,
  readOpenDifferences,
  readVersions,
  type SettlementFixture,
} from '../../test/settlements.ts'
import { runCourierSyncs } from '../../test/jobs.ts'
import { createEmptyAct, storeAct } from '../domains/settlements/settlements.store.ts'
import type { ActInput } from '../domains/settlements/settlements.types.ts'

let fixture: SettlementFixture

beforeAll(async () => {
  fixture = await createSettlementFixture()
})
afterEach(async () => {
  fixture.courier.acts = new Map()
  fixture.courier.missingElements = new Set()
  fixture.courier.requests.length = 0
  for (const table of ['settlement_notes', 'settlement_differences', 'settlement_lines', 'settlement_acts'])
    await fixture.query(`delete from ${table}`)
  await fixture.query('delete from courier_tariffs')
  await fixture.query('delete from parcels')
})
afterAll(() => fixture.close())

const line = (orderno: string, rur: string, code = orderno) => ({
  code,
  orderno,
  rur,
  pricekur: '20000.00',
  priceag: '1500.00',
})
const setAct = (lines: ReturnType<typeof line>[], details: { datepay?: string; actdate?: string } = {}) =>
  fixture.courier.acts?.set('7', { code: '7', number: 'A-7', actdate: dayAgo(3), lines, ...details })

async function readActs(query = ''): Promise<SettlementAct[]> {
  const answer = await callApi(fixture.product.app, fixture.admin, 'GET', `/api/admin/settlements/?${query}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ items: SettlementAct[] }>().items
}

async function changeDifference(id: number, body: object) {
  const url = `/api/admin/settlement-differences/${id}/`
  return callApi(fixture.product.app, fixture.admin, 'PUT', url, body)
}

const readDifferences = async (query = '') =>
  (
    await callApi(fixture.product.app, fixture.admin, 'GET', `/api/admin/settlement-differences/?${query}`)
  ).json<{ items: SettlementDifferenceWithNotes[] }>().items

const countRequests = (name: string) =>
  fixture.courier.requests.filter((request) => request.name === name).length

test('every line of an act is matched or explained by its kind, and another fetch changes no row', async () => {
  const expected = await plantFaults(fixture, { count: 400, linesPerAct: 60 })
  expect(await fixture.fetchActs()).toMatchObject({ status: 'done', counts: { act_lines: 420 } })
  await fixture.runJob()
  expect(await readOpenDifferences(fixture)).toEqual(expected)
  expect(await countUnexplained(fixture)).toBe(0)
  const before = await readVersions(fixture)
  expect(await fixture.fetchActs()).toMatchObject({ status: 'done' })
  await fixture.runJob()
  expect(await readVersions(fixture)).toBe(before)
})

test('an act has its sums, and differences say what was expected', async () => {
  await fixture.addParcels(fixture.azizId, [
    { orderno: 'a', cash: 100_000 },
    { orderno: 'b', cash: 50_000 },
  ])
  setAct([line('a', '100000.00'), line('b', '49000.50')])
  await fixture.fetchActs()
  expect(await readActs()).toMatchObject([
    {
      code: '7',
      number: 'A-7',
      act_date: dayAgo(3),
      paid_at: null,
      collected: 149_000.5,
      fees: 43_000,
      correction: 0,
      due: 106_000.5,
      paid: 0,
      difference: -999.5,
      differences: 1,
      lines: 2,
      currency: 'UZS',
      has_signed_copy: false,
    },
  ])
  expect(await readDifferences()).toMatchObject([
    { orderno: 'b', kind: 'amount', expected: 50_000, actual: 49_000.5, difference: -999.5, status: 'open' },
  ])
  setAct([line('a', '100000.00'), line('b', '49000.50')], { datepay: dayAgo(1) })
  await fixture.fetchActs()
  expect(await readActs('is_paid=true')).toMatchObject([{ paid_at: dayAgo(1), paid: 106_000.5 }])
  expect(await readActs('has_differences=false')).toEqual([])
})

test('a corrected act closes its open differences, and leaves those that a person resolved unchanged', async () => {
  await fixture.addParcels(
    fixture.azizId,
    ['a', 'b', 'c'].map((orderno) => ({ orderno, cash: 100_000 })),
  )
  setAct(['a', 'b', 'c'].map((orderno) => line(orderno, '99000.00')))
  await fixture.fetchActs()
  const a = (await readDifferences('search=a'))[0]
  const answer = await changeDifference(a?.id ?? 0, { status: 'resolved', note: 'Change for the courier' })
  expect(answer.statusCode, answer.body).toBe(200)
  setAct([line('a', '100000.00'), line('b', '100000.00'), line('c', '99000.00')])
  await fixture.fetchActs()
  expect(await readDifferences('sort=orderno')).toMatchObject([
    {
      orderno: 'a',
      status: 'resolved',
      reason: 'Change for the courier',
      resolved_by: { name: expect.any(String) },
    },
    { orderno: 'b', status: 'resolved', reason: null, resolved_by: null },
    { orderno: 'c', status: 'open', actual: 99_000 },
  ])
})

test('a parcel is unsettled when a correction removes its line, and settled by the later act', async () => {
  await fixture.addParcels(fixture.azizId, [
    { orderno: 'a', cash: 100_000 },
    { orderno: 'b', cash: 100_000 },
  ])
  setAct([line('a', '100000.00'), line('b', '100000.00')])
  const later = { code: '8', number: 'A-8', actdate: dayAgo(2), lines: [line('a', '100000.00')] }
  fixture.courier.acts?.set('8', later)
  await fixture.fetchActs()
  expect(await readOpenDifferences(fixture)).toEqual(['a settled_twice'])
  setAct([])
  await fixture.fetchActs()
  expect(await readOpenDifferences(fixture)).toEqual([])
  const settledParcels = await fixture.query<{ orderno: string; day: string | null }>(
    'select orderno, settled_at::date as day from parcels order by orderno',
  )
  expect(settledParcels).toEqual([
    { orderno: 'a', day: dayAgo(2) },
    { orderno: 'b', day: null },
  ])
  await fixture.runJob()
  expect(await readOpenDifferences(fixture)).toEqual(['b missing'])
})

test('a later parcel or tariff closes or opens differences', async () => {
  setAct([line('late', '100000.00')])
  await fixture.fetchActs()
  expect(await readOpenDifferences(fixture)).toEqual(['late unknown_order'])
  await fixture.addParcels(fixture.azizId, [{ orderno: 'late', cash: 100_000 }])
  await fixture.runJob()
  expect(await readOpenDifferences(fixture)).toEqual([])
  const tariff = {
    name: 'T',
    courier_account_id: fixture.account,
    delivery_fee: 20_000,
    valid_from: dayAgo(30),
  }
  const { app } = fixture.product
  const answer = await callApi(app, fixture.admin, 'POST', '/api/admin/courier-tariffs/', tariff)
  expect(answer.statusCode, answer.body).toBe(201)
  await fixture.runJob()
  expect(await readDifferences('status=open')).toMatchObject([
    { orderno: 'late', kind: 'fee', expected: 20_000, actual: 21_500, difference: -1500 },
  ])
  const { id } = answer.json<{ id: number }>()
  await callApi(app, fixture.admin, 'PUT', `/api/admin/courier-tariffs/${id}/`, { cash_percent: 1.5 })
  await fixture.runJob()
  expect(await readOpenDifferences(fixture)).toEqual([])
  await fixture.query('update parcels set cod_amount = 90000, updated_at = now()')
  await fixture.runJob()
  expect(await readOpenDifferences(fixture)).toEqual(['late amount'])
})

test('a delivered parcel is missing after the settlement days of its account', async () => {
  await fixture.addParcels(fixture.azizId, [{ orderno: 'x', cash: 100_000 }])
  setAct([])
  await fixture.fetchActs()
  await fixture.query('update courier_accounts set settlement_days = 30')
  await fixture.runJob()
  expect(await readOpenDifferences(fixture)).toEqual([])
  await fixture.query('update courier_accounts set settlement_days = null')
  await fixture.runJob()
  expect(await readDifferences()).toMatchObject([
    { orderno: 'x', kind: 'missing', act: null, expected: 100_000, actual: null, difference: -100_000 },
  ])
})

test('a paid act is read again only when its entry in the list changes, an unpaid one each time', async () => {
  await fixture.addParcels(fixture.azizId, [{ orderno: 'a', cash: 100_000 }])
  setAct([line('a', '100000.00')])
  for (let n = 0; n < 2; n += 1) await fixture.fetchActs()
  expect(countRequests('smadetail')).toBe(2)
  setAct([line('a', '100000.00')], { datepay: dayAgo(1) })
  for (let n = 0; n < 3; n += 1) await fixture.fetchActs()
  expect(countRequests('smadetail')).toBe(3)
})

test('a courier server without settlement acts, or without some of their elements, causes no failure', async () => {
  fixture.courier.acts = null
  expect(await fixture.fetchActs()).toMatchObject({ status: 'done', error: null })
  fixture.courier.acts = new Map()
  fixture.courier.missingElements = new Set(['priceag', 'pricecalc', 'rur', 'number', 'pricecorr', 'status'])
  await fixture.addParcels(fixture.azizId, [{ orderno: 'a', cash: 0 }])
  setAct([line('a', '0.00')])
  expect(await fixture.fetchActs()).toMatchObject({ status: 'done', error: null })
  expect(await readActs()).toMatchObject([{ number: '7', collected: 0, fees: 21_500, due: -21_500 }])
})

test('an act with an unreadable amount is named and not stored, and the other acts are stored', async () => {
  fixture.courier.acts?.set('9', {
    code: '9',
    number: 'A-9',
    actdate: dayAgo(3),
    lines: [{ ...line('a', 'much'), price: '1.00', pricecalc: '1.00' }],
  })
  setAct([line('b', '1.00')])
  const run = await fixture.fetchActs()
  expect(run.status).toBe('partial')
  expect(run.error).toContain('A-9')
  expect(await readActs()).toMatchObject([{ number: 'A-7' }])
})

test('the reasons why acts cannot be read are reasons of their own, each once', async () => {
  for (const code of ['8', '9'])
    fixture.courier.acts?.set(code, {
      code,
      number: `A-${code}`,
      actdate: dayAgo(3),
      lines: [line('a', '1.00')],
      badAnswer: '<smadetail count="3"></smadetail>',
    })
  setAct([line('b', '1.00')])
  const { reasons } = await fixture.fetchActs()
  expect(reasons).toMatchObject([
    { part: 'acts', code: 'courier_acts', params: { acts: 'A-8, A-9' } },
    { part: 'acts', code: 'courier_lines_cut', params: { count: 3, sent: 0 } },
  ])
})

test('an act that several transactions store at the same time is stored once', async () => {
  await fixture.addParcels(fixture.azizId, [{ orderno: 'a', cash: 100_000 }])
  const details = {
    order_date: null,
    delivered_date: null,
    company: null,
    declared_value: null,
    weight: null,
  }
  const act: ActInput = {
    ...createEmptyAct({ origin: 'file', number: '1', act_date: dayAgo(3) }),
    lines: ['a', 'a', 'b'].map((orderno) => ({
      ...details,
      orderno,
      code: null,
      collected: '100000',
      fee: null,
      delivery_fee: null,
      cash_fee: null,
      due: null,
      pay_type: null,
      status_title: null,
    })),
  }
  const { db } = fixture.product.deps
  const counts = await Promise.all(
    [1, 2, 3, 4].map(() => storeAct(db, { accountId: fixture.account, currency: 'UZS' }, act)),
  )
  expect(counts.map(({ imported }) => imported).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 3])
  expect(await readActs()).toMatchObject([{ lines: 3, collected: 300_000, due: 300_000 }])
  expect(await readOpenDifferences(fixture)).toEqual(['a settled_twice', 'b unknown_order'])
})

test('a scheduled run reads the acts once an hour, and a run that a person requested at any time', async () => {
  setAct([])
  await fixture.fetchActs()
  expect(countRequests('smalist')).toBe(1)
  await fixture.query('update sync_states set next_run_at = now()')
  await runCourierSyncs(fixture.product.deps)
  expect(countRequests('statusreq')).toBe(2)
  expect(countRequests('smalist')).toBe(1)
  await fixture.fetchActs()
  expect(countRequests('smalist')).toBe(2)
})
