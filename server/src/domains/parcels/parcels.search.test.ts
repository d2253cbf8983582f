import type { Page } from '@karvon/contract/lib/page.ts'
import type { Parcel } from '@karvon/contract/parcels/parcels.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, firstAdmin, signIn, type Product, type Session } from '../../../test/app.ts'

let product: Product
let admin: Session
const town = 'Ташкент, Юнусабадский район, махалля Богишамол'

beforeAll(async () => {
  product = await createTestApp()
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
  await product.deps.pool.query(
    `insert into parcels (orderno, status_code, status_raw, status_title, eventtime, day, person, phone, company, town)
     select 'S-' || n, 'PENDING', 'NEW', 'Новый', now() - interval '50 days', current_date - 50,
       'Азизов Азиз Шахрухович', '+99890' || n, 'Торг', $1 || case when n > 2 then '' else ', дом ' || n end
     from generate_series(1, 20000) n`,
    [town],
  )
  await product.deps.pool.query('vacuum analyze parcels')
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

test('a search for a common word many times costs about as much as a search for the word', async () => {
  const measure = async (text: string) => {
    const times: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const start = performance.now()
      await search(text)
      times.push(performance.now() - start)
    }
    return Math.min(...times)
  }
  const once = await measure('Ташкент')
  expect((await search('Ташкент '.repeat(24))).meta.filtered_total).toBe(0)
  expect(await measure('Ташкент '.repeat(24))).toBeLessThan(2.5 * once)
  expect(await measure('Азиз '.repeat(39))).toBeLessThan(2.5 * once)
})
