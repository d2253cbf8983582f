import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { reportColumns } from '@karvon/contract/lib/report-columns.ts'
import { statusTypes } from '@karvon/contract/status-types/status-types.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createSample, type Row } from '../../../test/sample.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

test('a built-in status type can be renamed, and cannot lose its code or be deleted', async () => {
  const list = (await callApi(product.app, admin, 'GET', '/api/admin/status-types/?sort=id')).json<{
    items: Row[]
  }>()
  expect(list.items.map((row) => row.code)).toEqual([...reportColumns])
  for (const row of list.items) {
    const renameAnswer = await callApi(product.app, admin, 'POST', `/api/admin/status-types/${row.id}/`, {
      name: `Б ${row.id}`,
      code: 'x',
    })
    expect(renameAnswer.json()).toMatchObject({ name: `Б ${row.id}`, code: row.code })
    const deleteAnswer = await callApi(product.app, admin, 'DELETE', `/api/admin/status-types/${row.id}/`)
    expect([deleteAnswer.statusCode, deleteAnswer.json()]).toEqual([
      409,
      { detail: 'A built-in status type cannot be deleted.', code: 'built_in_status_type' },
    ])
  }
  const ownType = await createSample(product.app, admin, statusTypes)
  expect(
    (await callApi(product.app, admin, 'DELETE', `/api/admin/status-types/${ownType.id}`)).statusCode,
  ).toBe(200)
})

test('a new source is deleted with its default mappings, unless somebody changed them', async () => {
  const source = await createSample(product.app, admin, cpaSources)
  const mappings = (
    await callApi(product.app, admin, 'GET', `/api/admin/source-statuses/?source_id=${source.id}`)
  ).json<{ items: Row[] }>().items
  expect(mappings.length).toBeGreaterThan(0)
  await callApi(product.app, admin, 'POST', `/api/admin/source-statuses/${mappings[0]?.id}`, {
    name: 'Our own',
  })
  const refusalAnswer = await callApi(product.app, admin, 'DELETE', `/api/admin/cpa-sources/${source.id}`)
  expect([refusalAnswer.statusCode, refusalAnswer.json()]).toEqual([
    409,
    {
      detail: 'Used by 1 source status.',
      code: 'in_use',
      params: { uses: '1 source status', source_statuses: 1 },
    },
  ])
  await callApi(product.app, admin, 'DELETE', `/api/admin/source-statuses/${mappings[0]?.id}`)
  expect(
    (await callApi(product.app, admin, 'DELETE', `/api/admin/cpa-sources/${source.id}`)).statusCode,
  ).toBe(200)
})
