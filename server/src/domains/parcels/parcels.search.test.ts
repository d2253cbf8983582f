import type { Page } from '@karvon/contract/lib/page.ts'
import type { Parcel } from '@karvon/contract/parcels/parcels.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Identity } from '../../platform/http/guard.ts'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildPageStatement } from '../../resources/lists.queries.ts'
import { buildParcelList } from './parcels.queries.ts'

let product: Product
let admin: Session
const town = 'Ташкент, Юнусабадский район, махалля Богишамол'

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  await product.deps.pool.query(
    `insert into parcels (orderno, status_code, status_raw, status_title, eventtime, day, person, phone, company, town)
     select 'S-' || n, 'PENDING', 'NEW', 'Новый', now() - interval '50 days', current_date - 50,
       'Азизов Азиз Шахрухович', '+99890' || n, 'Торг', $1 || case when n > 2 then '' else ', дом ' || n end
     from generate_series(1, 20000) n`,
    [town],
  )
  await product.deps.pool.query(
    `insert into parcels (orderno, status_code, status_title, eventtime, day, person, phone, town)
     select 'F-' || n, 'PENDING', 'Новый', now(), current_date, person, phone, 'Yangiyoʻl' from unnest($1::text[], $2::text[])
       with ordinality f (person, phone, n)`,
    [
      ['Gʻiyosov Oʻtkir', "Ma'rufov Bahodir", 'Sobirov', null],
      ['+998 (91) 555-12-34', '998915551234', '91\u00A0555.12.34, dom. 71/3', '+998935551234'],
    ],
  )
  await product.deps.sessionPool.query('vacuum analyze parcels')
})
afterAll(() => product.close())

const search = async (text: string): Promise<Page<Parcel>> => {
  const url = `/api/parcel/parcels/search?per_page=1&search=${encodeURIComponent(text)}`
  return (await callApi(product.app, admin, 'GET', url)).json()
}

test('a search for a long text finds what contains all of it, in any letter case', async () => {
  expect((await search(town)).meta.filtered_total).toBe(20_000)
  expect((await search(`${town.toUpperCase()}, дом 1`)).items).toMatchObject([{ orderno: 'S-1' }])
  for (const text of [`${town}, дом 3`, `${town}_`, `${town}%`])
    expect((await search(text)).meta.filtered_total, text).toBe(0)
})

const findOrders = async (text: string) => {
  const url = `/api/parcel/parcels/search?sort=orderno&search=${encodeURIComponent(text)}`
  const { items }: Page<Parcel> = (await callApi(product.app, admin, 'GET', url)).json()
  return items.map(({ orderno }) => orderno)
}

test('a search finds a phone number with other separators', async () => {
  for (const text of [
    '915551234',
    '91 555 12 34',
    '(91) 555-12-34',
    '91.555.1234',
    '91\u00A0555\u00A012\u00A034',
  ])
    expect(await findOrders(text), text).toEqual(['F-1', 'F-2', 'F-3'])
  for (const text of ['+998915551234', '998 91 555 12 34', '+998-91-555-12-34'])
    expect(await findOrders(text), text).toEqual(['F-1', 'F-2'])
  expect(await findOrders('12.34, dom. 71/3')).toEqual(['F-3'])
  expect(await findOrders('555-12-35')).toEqual([])
  expect(await findOrders('+-()')).toEqual([])
})

test('a search finds Uzbek names with any apostrophe, in any letter case', async () => {
  for (const apostrophe of ["'", 'ʻ', 'ʼ', '‘', '’', '`', '´']) {
    expect(await findOrders(`g${apostrophe}iyosov o${apostrophe}t`), apostrophe).toEqual(['F-1'])
    expect(await findOrders(`MA${apostrophe}RUF`), apostrophe).toEqual(['F-2'])
    expect(await findOrders(`YANGIYO${apostrophe}`), apostrophe).toHaveLength(4)
  }
  expect(await findOrders('giyosov')).toEqual([])
  expect(await findOrders("' or '1'='1")).toEqual([])
})

test('a search finds a long text with any apostrophe', async () => {
  const place = 'Toshkent viloyati, Yangiyoʻl tumani, Gulbahor shaharchasi, Doʻstlik'
  await product.deps.pool.query(`update parcels set company = $1 where orderno = 'F-4'`, [place])
  expect(await findOrders(place.replaceAll('ʻ', "'"))).toEqual(['F-4'])
  expect(await findOrders(place.replaceAll('ʻ', '’').toUpperCase())).toEqual(['F-4'])
  expect(await findOrders(place.replaceAll(' ', '\u00A0'))).toEqual(['F-4'])
  expect(await findOrders(`${place}a`)).toEqual([])
})

test('a search finds е and ё for each other, also in a long text', async () => {
  const company = 'Торговый дом «Королёв и Сёмин», склад у Пётровской башни'
  await product.deps.pool.query(
    `update parcels set person = 'Королёв Петр', company = $1 where orderno = 'F-3'`,
    [company],
  )
  for (const text of [
    'королев',
    'КОРОЛЁВ',
    'пётр',
    'Петр',
    company.replaceAll('ё', 'е'),
    company.replaceAll('е', 'ё'),
  ])
    expect(await findOrders(text), text).toEqual(['F-3'])
  expect(await findOrders('коралев')).toEqual([])
})

test('a search finds the code that a scanner typed on the Russian layout', async () => {
  await product.deps.pool.query(
    `insert into parcels (orderno, barcode, status_code, status_title, eventtime, day)
     values ('EXP-9001', 'BEXP9001', 'PENDING', 'Новый', now(), current_date), ('УЧЗ-9002', null, 'PENDING', 'Новый', now(), current_date)`,
  )
  expect(await findOrders('УЧЗ-9001')).toEqual(['EXP-9001'])
  expect(await findOrders('иучз9001')).toEqual(['EXP-9001'])
  expect(await findOrders('УЧЗ-900')).toEqual(['EXP-9001', 'УЧЗ-9002'])
  const list = await callApi(
    product.app,
    admin,
    'GET',
    `/api/parcel/parcels/all?orderno=${encodeURIComponent('учз-9001')}`,
  )
  expect(list.json().items).toMatchObject([{ orderno: 'EXP-9001' }])
})

test('a search reads the index of texts and phone numbers', async () => {
  const person = { userId: 1, roleId: 1, isAdmin: true } as Identity
  // The keys of "жюб1" type ";.,1", for which no index helps.
  for (const search of ['91 555-12-34', 'Карим', 'Зелёный', 'УЧ-100', 'жюб1']) {
    const list = buildParcelList({ search }, person, 'UZS')
    const { text, values } = buildPageStatement(list, { size: 10, offset: 0 })
    const { rows } = await product.deps.sessionPool.query(`explain (costs off) ${text}`, values)
    expect(JSON.stringify(rows), search).toContain('Bitmap Index Scan on parcels_text_search')
    expect(JSON.stringify(rows), search).not.toContain('Seq Scan on parcels')
  }
})

test('the index is searched for the start of a long text only', () => {
  const person = { userId: 1, roleId: 1, isAdmin: true } as Identity
  const readPattern = (text: string) => buildParcelList({ search: text }, person, 'UZS').where.values[0]
  expect(readPattern('Азиз')).toBe('Азиз')
  expect(readPattern('Юнусабад'.repeat(24))).toBe('Юнусабад'.repeat(4))
  expect(readPattern('😀'.repeat(17))).toBe('😀'.repeat(16))
  expect(readPattern(`a${'😀'.repeat(17)}`)).toBe(`a${'😀'.repeat(15)}`)
})

test('the list sorts receivers in any letter case, with ё as е, and those without a name last', async () => {
  const persons = ['ёлкин', 'Яшин', null, 'абдуллаев', 'Ержанов', 'Ёркин']
  await product.deps.pool.query(
    `insert into parcels (orderno, status_code, status_title, eventtime, day, person)
     select 'ORDER-' || n, 'PENDING', 'Новый', now(), current_date, person
       from unnest($1::text[]) with ordinality f (person, n)`,
    [persons],
  )
  const listPersons = async (sort: string) => {
    const url = `/api/parcel/parcels/all?orderno=ORDER-&sort=${sort}`
    const { items }: Page<Parcel> = (await callApi(product.app, admin, 'GET', url)).json()
    return items.map(({ receiver }) => receiver.person)
  }
  const sorted = ['абдуллаев', 'ёлкин', 'Ержанов', 'Ёркин', 'Яшин']
  expect(await listPersons('person')).toEqual([...sorted, null])
  expect(await listPersons('-person')).toEqual([...sorted.toReversed(), null])
})
