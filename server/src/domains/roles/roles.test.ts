import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { roles } from '@karvon/contract/roles/roles.ts'
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

const put = (id: number, body: object) => ask(product.app, admin, 'PUT', `/api/admin/roles/${id}`, body)
const sourceIds = (row: Row) => (row.sources as { source_id: number }[]).map((source) => source.source_id)

test('source_ids replace the set, and role-source-access shows the same facts', async () => {
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
      await ask(product.app, admin, 'GET', `/api/admin/role-source-access/?role_id=${role.id}&sort=source_id`)
    ).json<{ items: Row[] }>().items
  const before = await access()
  expect(before.map((row) => row.source_id)).toEqual([a.id, b.id])
  expect(before[0]).toMatchObject({ role: { id: role.id, name: role.name }, source: { id: a.id, name: 'А' } })

  expect(sourceIds((await put(role.id, { source_ids: [b.id, c.id] })).json<Row>())).toEqual([b.id, c.id])
  const after = await access()
  expect(after.map((row) => row.id)).toContain(before[1]?.id)
  expect(sourceIds((await put(role.id, { name: 'Renamed' })).json<Row>())).toEqual([b.id, c.id])

  const twice = await ask(product.app, admin, 'POST', '/api/admin/role-source-access', {
    role_id: role.id,
    source_id: b.id,
  })
  expect([twice.statusCode, twice.json()]).toMatchObject([
    409,
    { code: 'duplicate', errors: [{ field: 'role_id' }, { field: 'source_id' }] },
  ])
  await ask(product.app, admin, 'DELETE', `/api/admin/role-source-access/${after[0]?.id}`)
  expect(
    sourceIds((await ask(product.app, admin, 'GET', `/api/admin/roles/${role.id}`)).json<Row>()),
  ).toEqual([c.id])

  for (const none of [[], null])
    expect(sourceIds((await put(role.id, { source_ids: none })).json<Row>())).toEqual([])
  const unknown = await put(role.id, { name: 'Lost', source_ids: [c.id, 999_999] })
  expect([unknown.statusCode, unknown.json()]).toMatchObject([
    422,
    { errors: [{ field: 'source_ids', message: 'Source 999999 does not exist.' }] },
  ])
  expect((await ask(product.app, admin, 'GET', `/api/admin/roles/${role.id}`)).json()).toMatchObject({
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

test('a code is taken whatever its case', async () => {
  await createSample(product.app, admin, roles, { code: 'Buyer' })
  const again = await ask(product.app, admin, 'POST', '/api/admin/roles', { name: 'x', code: 'BUYER' })
  expect(again.json()).toMatchObject({
    code: 'duplicate',
    errors: [{ field: 'code', message: 'Code is already taken.' }],
  })
})

test('a role that people have is kept, and a free one takes its sources along', async () => {
  const used = await ask(product.app, admin, 'DELETE', '/api/admin/roles/1')
  expect([used.statusCode, used.json()]).toEqual([409, { detail: 'Used by 1 user.', code: 'in_use' }])
  const source = await createSample(product.app, admin, cpaSources)
  const role = await createSample(product.app, admin, roles, { source_ids: [source.id] })
  const answer = await ask(product.app, admin, 'DELETE', `/api/admin/cpa-sources/${source.id}`)
  expect(answer.json()).toMatchObject({ detail: 'Used by 1 role source access.' })
  expect((await ask(product.app, admin, 'DELETE', `/api/admin/roles/${role.id}`)).statusCode).toBe(200)
  expect((await ask(product.app, admin, 'DELETE', `/api/admin/cpa-sources/${source.id}`)).statusCode).toBe(
    200,
  )
})
