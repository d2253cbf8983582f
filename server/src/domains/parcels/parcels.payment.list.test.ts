import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { readCsv } from '../../../test/exports.ts'
import { ago, day, minute } from '../../../test/moment.ts'
import { importParcels, listParcels } from '../../../test/parcel.ts'
import { createUser } from '../../../test/people.ts'
import { buildPageStatement } from '../../resources/lists.queries.ts'
import { buildParcelList } from './parcels.queries.ts'

let product: Product
let admin: Session
let aziz: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  aziz = await createUser(product.app, admin, 'aziz')
  await createUser(product.app, admin, 'malika')
})

afterAll(() => product.close())

const importLines = (...lines: string[]) => importParcels(product.app, admin, lines)

/** Imports a heading and its rows, all of them. */
async function importAll(...lines: string[]): Promise<void> {
  expect(await importLines(...lines)).toMatchObject({ imported: lines.length - 1 })
}

const list = (as: Session, query: string) => listParcels(product.app, as, query)
const orderNumbers = async (as: Session, query: string) =>
  (await list(as, query)).map(({ orderno }) => orderno)
describe('The list', () => {
  beforeAll(async () => {
    await importAll(
      'orderno,cod_amount,declared_value,pay_type,courier_code,courier_name,status,event_time,owner',
      `L-1,300,30,CASH,c1,Анвар,COMPLETE,${ago(10 * day)},aziz`,
      `L-2,100,10,CARD,c2,Бобур,COMPLETE,${ago(4 * day)},aziz`,
      `L-3,0,20,NO,c1,Анвар,COMPLETE,${ago(10 * day)},aziz`,
      `L-4,200,40,CASH,c1,Анвар,DELIVERY,${ago(10 * day)},aziz`,
      `L-5,400,50,CASH,c1,Анвар,COMPLETE,${ago(10 * day)},aziz`,
      `L-6,500,60,CASH,c1,Анвар,COMPLETE,${ago(10 * day)},malika`,
      `L-7,600,70,CASH,c1,Анвар,CANCELED,${ago(10 * day)},aziz`,
    )
    await product.deps.pool.query(`update parcels set settled_at = now() where orderno = 'L-5'`)
  })

  test('delivered parcels that are not settled are found by the days since their delivery', async () => {
    const listUnsettled = (days: number, as = aziz) =>
      orderNumbers(as, `sort=orderno&orderno=L-&unsettled_days=${days}`)
    expect(await listUnsettled(0)).toEqual(['L-1', 'L-2'])
    expect(await listUnsettled(4)).toEqual(['L-1', 'L-2'])
    expect(await listUnsettled(5)).toEqual(['L-1'])
    expect(await listUnsettled(10)).toEqual(['L-1'])
    expect(await listUnsettled(11)).toEqual([])
    expect(await listUnsettled(5, admin)).toEqual(['L-1', 'L-6'])
    expect((await list(aziz, 'orderno=L-5'))[0]?.settled_at).toMatch(/\+05:00$/)
  })

  test('a delivery counts as a day ago after exactly 24 hours', async () => {
    await importLines(
      'orderno,cod_amount,status,event_time,owner',
      `D1,1,COMPLETE,${ago(day + minute)},aziz`,
      `D2,1,COMPLETE,${ago(day - 60 * minute)},aziz`,
    )
    expect(await orderNumbers(aziz, 'orderno=D&unsettled_days=1')).toEqual(['D1'])
  })

  test.each([
    ['pay_type=CARD', ['L-2']],
    ['pay_type=CASH', ['L-1', 'L-4', 'L-5', 'L-7']],
    ['courier_code=c2', ['L-2']],
    ['courier_code=c1&pay_type=NO', ['L-3']],
    ['courier_code=C1', []],
    ['courier_code=c1&status=DELIVERED', ['L-1', 'L-3', 'L-5']],
  ])('the filter of parcels %s finds exactly its own parcels', async (query, expected) => {
    expect(await orderNumbers(aziz, `sort=orderno&orderno=L-&${query}`)).toEqual(expected)
  })

  test('the counts by status follow the filters by payment', async () => {
    const answer = await callApi(
      product.app,
      aziz,
      'GET',
      '/api/parcel/parcels/all?orderno=L-&courier_code=c1',
    )
    expect(answer.json()).toMatchObject({
      meta: { filtered_total: 5, status_counts: { DELIVERED: 3, IN_TRANSIT: 1, RETURNED: 1, PENDING: 0 } },
    })
  })

  test.each([
    ['cod_amount', ['L-3', 'L-2', 'L-4', 'L-1', 'L-5', 'L-7']],
    ['-cod_amount', ['L-7', 'L-5', 'L-1', 'L-4', 'L-2', 'L-3']],
    ['declared_value', ['L-2', 'L-3', 'L-1', 'L-4', 'L-5', 'L-7']],
    ['-courier', ['L-2', 'L-7', 'L-5', 'L-4', 'L-3', 'L-1']],
    ['pay_type', ['L-2', 'L-1', 'L-4', 'L-5', 'L-7', 'L-3']],
    ['settled_at', ['L-5', 'L-1', 'L-2', 'L-3', 'L-4', 'L-7']],
  ])('the list of parcels is sorted by %s', async (sort, expected) => {
    expect(await orderNumbers(aziz, `orderno=L-&sort=${sort}`)).toEqual(expected)
  })

  test.each([
    'unsettled_days=-1',
    'unsettled_days=366',
    'unsettled_days=x',
    'pay_type=BARTER',
    `courier_code=${'x'.repeat(101)}`,
  ])('a list query with %s is answered with 422', async (query) => {
    expect((await callApi(product.app, aziz, 'GET', `/api/parcel/parcels/all?${query}`)).statusCode).toBe(422)
  })

  test('an export of parcels has the payment, the courier and the names of the items', async () => {
    await importLines(
      'orderno,date,cod_amount,pay_type,declared_value,items,courier_code,courier_name,courier_phone',
      'E1,2026-11-20,1250000.50,CASH,1300000,Чайник × 2; Кружка,17,Жасур,+998901112233',
    )
    const { heading, rows } = await readCsv(product.app, admin, '/api/parcel/parcels/all?orderno=E1')
    const cells = Object.fromEntries(heading.map((name, index) => [name, rows[0]?.[index]]))
    expect(cells).toMatchObject({
      cod_amount: '1250000.5',
      pay_type: 'CASH',
      declared_value: '1300000',
      currency: 'UZS',
      courier_code: '17',
      courier_name: 'Жасур',
      courier_phone: "'+998901112233",
      items: 'Чайник; Кружка',
      settled_at: '',
    })
    const unsettledFile = await readCsv(
      product.app,
      aziz,
      '/api/parcel/parcels/all?orderno=L-&unsettled_days=5',
    )
    expect(unsettledFile.rows.map(([, orderno]) => orderno)).toEqual(['L-1'])
  })
})

test('the unsettled parcels are found in their own index among many settled ones', async () => {
  const { pool } = product.deps
  await pool.query(
    `insert into parcels (orderno, owner_id, day, status_code, status_title, eventtime, cod_amount, settled_at, courier_code)
     select 'M' || n, (select id from users where username = 'aziz'), current_date, 'DELIVERED', 'Доставлен',
       now() - interval '40 days', 100, case when n % 1000 = 0 then null else now() end, 'k' || n % 2000
     from generate_series(1, 30000) n`,
  )
  await pool.query('analyze parcels')
  const { rows: people } = await pool.query<{ id: number }>(`select id from users where username = 'aziz'`)
  const person = { userId: people[0]?.id ?? 0, isAdmin: false }
  const explain = async (query: object, isAdmin: boolean) => {
    const identity = { ...person, isAdmin } as Parameters<typeof buildParcelList>[1]
    const { text, values } = buildPageStatement(buildParcelList(query, identity, 'UZS'), {
      size: 10,
      offset: 0,
    })
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  expect(await explain({ unsettled_days: 30 }, true)).toMatch(/ parcels_(owner_)?unsettled/)
  expect(await explain({ unsettled_days: 30 }, false)).toMatch(/ parcels_(owner_)?unsettled/)
  expect(await explain({ courier_code: 'k5' }, true)).toMatch(/ parcels_courier_code/)
})
