import type {
  SettlementDifference,
  SettlementDifferenceWithNotes,
} from '@karvon/contract/settlements/differences.ts'
import type { SettlementAct } from '@karvon/contract/settlements/settlements.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import {
  createSettlementFixture,
  dayAgo,
  readOpenDifferences,
  readPostedSums,
  readVersions,
  type SettlementFixture,
} from '../../test/settlements.ts'

let fixture: SettlementFixture

beforeAll(async () => {
  fixture = await createSettlementFixture()
})
afterEach(async () => {
  fixture.courier.missingElements = new Set()
  for (const table of ['settlement_differences', 'settlement_lines', 'settlement_acts', 'parcels'])
    await fixture.query(`delete from ${table}`)
})
afterAll(() => fixture.close())

const addParcels = (...orders: string[]) =>
  fixture.addParcels(
    fixture.azizId,
    orders.map((orderno) => ({ orderno, cash: 100_000 })),
  )
const createAct = (code: string, orders: string[], { days = 3, datepay = '' } = {}) => ({
  code,
  number: `A-${code}`,
  actdate: dayAgo(days),
  datepay,
  lines: orders.map((orderno) => ({
    code: `${code}-${orderno}`,
    orderno,
    rur: '100000.00',
    pricekur: '20000.00',
    priceag: '0.00',
  })),
})
const setActs = (...acts: ReturnType<typeof createAct>[]) => {
  fixture.courier.acts = new Map(acts.map((act) => [act.code, act]))
}
const readActs = async (query = '') =>
  (
    await callApi(fixture.product.app, fixture.admin, 'GET', `/api/admin/settlements/?sort=id&${query}`)
  ).json<{ items: SettlementAct[] }>().items
const differencesPath = '/api/admin/settlement-differences/'
const readDifferences = async () =>
  (await callApi(fixture.product.app, fixture.admin, 'GET', `${differencesPath}?sort=orderno`)).json<{
    items: SettlementDifference[]
  }>().items
const readDifference = async (id: number | undefined) =>
  (
    await callApi(fixture.product.app, fixture.admin, 'GET', `${differencesPath}${id}/`)
  ).json<SettlementDifferenceWithNotes>()
const voidAct = (id: number | undefined) =>
  callApi(fixture.product.app, fixture.admin, 'POST', `/api/admin/settlements/${id}/void/`, {
    reason: 'The courier issued it again',
  })
const readSettledDays = async () =>
  (
    await fixture.query<{ day: string | null }>(
      `select (settled_at at time zone 'Asia/Tashkent')::date::text as day from parcels order by orderno`,
    )
  ).map(({ day }) => day)

test('an act that the courier issued again under another code is marked, can be voided, and the new act settles its parcels', async () => {
  await addParcels('a', 'b')
  setActs(createAct('1', ['a', 'b']))
  await fixture.fetchActs()
  const [listedAct] = await readActs()
  expect(listedAct).toMatchObject({ code: '1', unlisted_at: null })
  expect((await voidAct(listedAct?.id)).json()).toMatchObject({ code: 'act_of_courier' })

  setActs(createAct('2', ['a', 'b'], { days: 2, datepay: dayAgo(1) }))
  expect(await fixture.fetchActs()).toMatchObject({ status: 'done' })
  expect(await readOpenDifferences(fixture)).toEqual(['a settled_twice', 'b settled_twice'])
  expect(await readActs()).toMatchObject([
    { code: '1', lines: 2, unlisted_at: expect.any(String) },
    { code: '2', lines: 2, unlisted_at: null },
  ])
  expect(await readActs('is_unlisted=true')).toMatchObject([{ code: '1' }])
  const [difference] = await readDifferences()
  expect(difference).toMatchObject({ act: { number: 'A-2' } })
  expect(await readDifference(difference?.id)).toMatchObject({
    settled_by: { id: listedAct?.id, number: 'A-1', unlisted_at: expect.any(String) },
  })
  const before = await readVersions(fixture)
  await fixture.fetchActs()
  expect(await readVersions(fixture)).toBe(before)

  expect((await voidAct(listedAct?.id)).statusCode).toBe(200)
  expect(await readOpenDifferences(fixture)).toEqual([])
  expect(await readDifference(difference?.id)).toMatchObject({ status: 'resolved', settled_by: null })
  expect(await readPostedSums(fixture)).toEqual({ courier: 0, person: -160_000, paid: 160_000 })
  expect(await readSettledDays()).toEqual([dayAgo(2), dayAgo(2)])
  expect(await readActs('is_unlisted=true')).toEqual([])
})

test('an act that the courier lists again loses its mark, and is restored if it was voided', async () => {
  await addParcels('a')
  setActs(createAct('1', ['a']))
  await fixture.fetchActs()
  const sums = await readPostedSums(fixture)
  setActs()
  await fixture.fetchActs()
  expect(await readActs()).toMatchObject([{ unlisted_at: expect.any(String), lines: 1 }])
  setActs(createAct('1', ['a']))
  await fixture.fetchActs()
  const [act] = await readActs()
  expect(act).toMatchObject({ unlisted_at: null })

  setActs()
  await fixture.fetchActs()
  expect((await voidAct(act?.id)).statusCode).toBe(200)
  expect(await readSettledDays()).toEqual([null])
  setActs(createAct('1', ['a']))
  await fixture.fetchActs()
  expect(await readActs()).toMatchObject([{ unlisted_at: null, voided_at: null, lines: 1, due: 80_000 }])
  expect(await readPostedSums(fixture)).toEqual(sums)
})

test('acts before the period, acts of files and acts of another account are not marked, and an answer that is not whole marks nothing', async () => {
  await addParcels('a', 'b')
  setActs(
    createAct('1', ['a'], { days: 90, datepay: dayAgo(80) }),
    createAct('2', ['b'], { datepay: dayAgo(1) }),
  )
  await fixture.fetchActs()
  await fixture.query(
    `insert into settlement_acts (courier_account_id, currency, code, number, act_date, content_hash)
     select courier_account_id, currency, null, 'file', act_date, '' from settlement_acts where code = '2'`,
  )
  const [other] = await fixture.query<{ id: number }>(
    `insert into courier_accounts (name, url, extra, login, user_id, is_active)
     select 'Other', url, extra, 'other', user_id, false from courier_accounts returning id`,
  )
  await fixture.query(
    `insert into settlement_acts (courier_account_id, currency, code, number, act_date, content_hash)
     select $1, currency, '9', 'other', act_date, '' from settlement_acts where code = '2'`,
    [other?.id],
  )
  const readMarks = async () =>
    (await readActs()).map(({ number, unlisted_at }) => [number, unlisted_at !== null])
  const noMarks = ['A-1', 'A-2', 'file', 'other'].map((number) => [number, false])

  fixture.courier.acts = null
  await fixture.fetchActs()
  expect(await readMarks()).toEqual(noMarks)
  setActs(createAct('3', []))
  fixture.courier.missingElements = new Set(['code'])
  await fixture.fetchActs()
  expect(await readMarks()).toEqual(noMarks)
  fixture.courier.missingElements = new Set()
  setActs()
  await fixture.fetchActs()
  expect(await readMarks()).toEqual([
    ['A-1', false],
    ['A-2', true],
    ['file', false],
    ['other', false],
  ])
})
