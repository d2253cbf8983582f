import type { Page } from '@karvon/contract/lib/page.ts'
import type { Parcel } from '@karvon/contract/parcels/parcels.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Identity } from '../../platform/http/guard.ts'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
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

test('the index is searched for the start of a long text only', () => {
  const person = { userId: 1, roleId: 1, isAdmin: true } as Identity
  const readPattern = (text: string) => buildParcelList({ search: text }, person, 'UZS').where.values[0]
  expect(readPattern('Азиз')).toBe('%Азиз%')
  expect(readPattern('Ташкент '.repeat(24))).toBe(`%${'Ташкент '.repeat(4)}%`)
  expect(readPattern('😀'.repeat(17))).toBe(`%${'😀'.repeat(16)}%`)
  expect(readPattern(`a${'😀'.repeat(17)}`)).toBe(`%a${'😀'.repeat(15)}%`)
})
