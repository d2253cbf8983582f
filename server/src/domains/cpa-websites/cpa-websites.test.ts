import { cpaWebsites } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createSample } from '../../../test/sample.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

test('a mapping accepts any JSON object of up to 64 kB', async () => {
  const row = await createSample(product.app, admin, cpaWebsites)
  const put = (mapping: unknown) =>
    callApi(product.app, admin, 'PUT', `/api/admin/cpa-websites/${row.id}`, { mapping })
  const odd = { 'ключ "1"': [1.5, true, null, { '': 'ы\n' }], big: 12345678901234 }
  expect((await put(odd)).json()).toHaveProperty('mapping', odd)
  expect((await put({ text: 'ы'.repeat(32_000) })).statusCode).toBe(200)
  const large = await put({ text: 'ы'.repeat(33_000) })
  expect([large.statusCode, large.json()]).toMatchObject([
    422,
    { errors: [{ field: 'mapping', message: 'Mapping must have at most 64 kB' }] },
  ])
  expect((await put({ text: 'x'.repeat(1024 * 1024) })).statusCode).toBe(413)
  expect((await put(null)).json()).toHaveProperty('mapping', null)
})
