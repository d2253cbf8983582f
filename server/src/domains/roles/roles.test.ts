import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { roles } from '@karvon/contract/roles/roles.ts'
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

const put = (id: number, body: object) => callApi(product.app, admin, 'PUT', `/api/admin/roles/${id}`, body)
const sourceIds = (row: Row) => (row.sources as { source_id: number }[]).map((source) => source.source_id)

test('source_ids replace the sources of a role, and role-source-access shows the same', async () => {
  const [a, b, c] = [
    await createSample(product.app, admin, cpaSources, { name: 'А' }),
    await createSample(product.app, admin, cpaSources, { name: 'Б' }),
    await createSample(product.app, admin, cpaSources, { name: 'В' }),
  ]
  const role = await createSample(product.app, admin, roles, { source_ids: [b.id, a.id, a.id] })
  expect(role.sources).toEqual([
    { id: a.id, source_id: a.id, name: 'А' },
    { id: b.id, source_id: b.id, name: 'Б' },
  ])
  const access = async () =>
    (
      await callApi(
        product.app,
        admin,
        'GET',
        `/api/admin/role-source-access/?role_id=${role.id}&sort=source_id`,
      )
    ).json<{ items: Row[] }>().items
  const before = await access()
  expect(before.map((row) => row.source_id)).toEqual([a.id, b.id])
  expect(before[0]).toMatchObject({ role: { id: role.id, name: role.name }, source: { id: a.id, name: 'А' } })

  expect(sourceIds((await put(role.id, { source_ids: [b.id, c.id] })).json<Row>())).toEqual([b.id, c.id])
  const after = await access()
  expect(after.map((row) => row.id)).toContain(before[1]?.id)
  expect(sourceIds((await put(role.id, { name: 'Renamed' })).json<Row>())).toEqual([b.id, c.id])

  const twice = await callApi(product.app, admin, 'POST', '/api/admin/role-source-access', {
    role_id: role.id,
    source_id: b.id,
  })
  expect([twice.statusCode, twice.json()]).toMatchObject([
    409,
    { code: 'combination_exists', errors: [{ field: 'role_id' }, { field: 'source_id' }] },
  ])
  await callApi(product.app, admin, 'DELETE', `/api/admin/role-source-access/${after[0]?.id}`)
  expect(
    sourceIds((await callApi(product.app, admin, 'GET', `/api/admin/roles/${role.id}`)).json<Row>()),
  ).toEqual([c.id])

  for (const emptyIds of [[], null])
    expect(sourceIds((await put(role.id, { source_ids: emptyIds })).json<Row>())).toEqual([])
  const unknownAnswer = await put(role.id, { name: 'Lost', source_ids: [c.id, 999_999] })
  expect([unknownAnswer.statusCode, unknownAnswer.json()]).toMatchObject([
    422,
    { errors: [{ field: 'source_ids', message: 'Source 999999 does not exist.' }] },
  ])
  expect((await callApi(product.app, admin, 'GET', `/api/admin/roles/${role.id}`)).json()).toMatchObject({
    name: 'Renamed',
  })

  const log = await product.deps.db
    .selectFrom('audit_log')
    .selectAll()
    .where('resource', '=', 'roles')
    .where('row_id', '=', role.id)
    .orderBy('id')
    .execute()
  expect(log[1]).toMatchObject({
    old_values: { source_ids: [a.id, b.id] },
    new_values: { source_ids: [b.id, c.id] },
  })
})

test('role-source-access is searched by the names of its role and its source', async () => {
  const source = await createSample(product.app, admin, cpaSources, { name: 'Yoʻl 100%' })
  const role = await createSample(product.app, admin, roles, { name: 'Байеры', source_ids: [source.id] })
  const search = async (text: string) => {
    const path = `/api/admin/role-source-access/?search=${encodeURIComponent(text)}`
    return (await callApi(product.app, admin, 'GET', path)).json<{ items: Row[] }>().items
  }
  for (const text of ['БАЙЕР', "yo'l", '100%'])
    expect(await search(text), text).toMatchObject([{ role_id: role.id, source_id: source.id }])
  expect(await search('nobody')).toEqual([])
})

test('a role code that differs only in letter case is a duplicate', async () => {
  await createSample(product.app, admin, roles, { code: 'Buyer' })
  const again = await callApi(product.app, admin, 'POST', '/api/admin/roles', { name: 'x', code: 'BUYER' })
  expect(again.json()).toMatchObject({
    code: 'already_exists',
    errors: [{ field: 'code', message: 'Code is already taken.' }],
  })
})

test("a role with users cannot be deleted, and an unused role is deleted with its sources' access", async () => {
  const deleteAnswer = await callApi(product.app, admin, 'DELETE', '/api/admin/roles/1')
  expect([deleteAnswer.statusCode, deleteAnswer.json()]).toMatchObject([
    409,
    { detail: 'Used by 1 user.', code: 'in_use' },
  ])
  const source = await createSample(product.app, admin, cpaSources)
  const role = await createSample(product.app, admin, roles, { source_ids: [source.id] })
  const answer = await callApi(product.app, admin, 'DELETE', `/api/admin/cpa-sources/${source.id}`)
  expect(answer.json()).toMatchObject({ detail: 'Used by 1 role source access.' })
  expect((await callApi(product.app, admin, 'DELETE', `/api/admin/roles/${role.id}`)).statusCode).toBe(200)
  expect(
    (await callApi(product.app, admin, 'DELETE', `/api/admin/cpa-sources/${source.id}`)).statusCode,
  ).toBe(200)
})
