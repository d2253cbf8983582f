import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { reportColumns } from '@karvon/contract/lib/report-columns.ts'
import { statusTypes } from '@karvon/contract/status-types/status-types.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, createTestApp, firstAdmin, signIn, type Product, type Signed } from '../../../test/app.ts'
import { createSample, type Row } from '../../../test/sample.ts'

let product: Product
let admin: Signed

beforeAll(async () => {
  product = await createTestApp()
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
})
afterAll(() => product.close())

test('the built-in types can be renamed, but neither lose their code nor be deleted', async () => {
  const list = (await ask(product.app, admin, 'GET', '/api/admin/status-types/?sort=id')).json<{
    items: Row[]
  }>()
  expect(list.items.map((row) => row.code)).toEqual([...reportColumns])
  for (const row of list.items) {
    const renamed = await ask(product.app, admin, 'POST', `/api/admin/status-types/${row.id}/`, {
      name: `Б ${row.id}`,
      code: 'x',
    })
    expect(renamed.json()).toMatchObject({ name: `Б ${row.id}`, code: row.code })
    const deleted = await ask(product.app, admin, 'DELETE', `/api/admin/status-types/${row.id}/`)
    expect([deleted.statusCode, deleted.json()]).toEqual([
      409,
      { detail: 'A built-in status type cannot be deleted.', code: 'conflict' },
    ])
  }
  const own = await createSample(product.app, admin, statusTypes)
  expect((await ask(product.app, admin, 'DELETE', `/api/admin/status-types/${own.id}`)).statusCode).toBe(200)
})

test('a new source goes with the words that came with it, unless somebody made them their own', async () => {
  const source = await createSample(product.app, admin, cpaSources)
  const words = (
    await ask(product.app, admin, 'GET', `/api/admin/source-statuses/?source_id=${source.id}`)
  ).json<{ items: Row[] }>().items
  expect(words.length).toBeGreaterThan(0)
  await ask(product.app, admin, 'POST', `/api/admin/source-statuses/${words[0]?.id}`, { name: 'Our own' })
  const held = await ask(product.app, admin, 'DELETE', `/api/admin/cpa-sources/${source.id}`)
  expect([held.statusCode, held.json()]).toEqual([
    409,
    { detail: 'Used by 1 source status.', code: 'in_use' },
  ])
  await ask(product.app, admin, 'DELETE', `/api/admin/source-statuses/${words[0]?.id}`)
  expect((await ask(product.app, admin, 'DELETE', `/api/admin/cpa-sources/${source.id}`)).statusCode).toBe(
    200,
  )
})
