import { resourceCalls } from '@karvon/contract/lib/resource-calls.ts'
import { getWritableFields, type Resource } from '@karvon/contract/lib/resource.ts'
import { resources } from '@karvon/contract/registry.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createSample, sampleBody, type Row } from '../../../test/sample.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

const put = (url: string, body: object) => callApi(product.app, admin, 'PUT', url, body)
const read = async (resource: Resource, id: number): Promise<Row> => {
  const answer = (await callApi(product.app, admin, 'GET', `${resource.path}/${id}`)).json<
    Row & { items: Row[] }
  >()
  return resource.quirks.firstOfItems ? (answer.items[0] as Row) : answer
}
const conflict = (noun: string) => {
  const message = `Somebody changed this ${noun} meanwhile. Nothing was saved.`
  const code = { code: 'edit_conflict', params: { noun } }
  return { detail: message, ...code, errors: [{ field: 'updated_at', message, ...code }] }
}

describe.each(resources.map((resource) => [resource.name, resource] as const))('%s', (_name, resource) => {
  test('one of 20 simultaneous changes of one row is saved', async () => {
    const row = await createSample(product.app, admin, resource)
    expect(row.updated_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}(\.\d{1,6})?[+-]\d\d:\d\d$/)
    const body = { ...(await sampleBody(product.app, admin, resource)), updated_at: row.updated_at }
    const url = `${resource.path}/${row.id}/`
    const answers = await Promise.all(Array.from({ length: 20 }, () => put(url, body)))
    const savedAnswers = answers.filter(({ statusCode }) => statusCode === 200)
    expect(savedAnswers.length).toBe(1)
    for (const answer of answers) {
      if (answer.statusCode !== 200)
        expect([answer.statusCode, answer.json()]).toEqual([409, conflict(resource.noun.one)])
    }
    expect(await read(resource, row.id)).toEqual(savedAnswers[0]?.json())
    const { rows } = await product.deps.pool.query<{ n: number }>(
      `select count(*)::int as n from audit_log where resource = $1 and row_id = $2 and action = 'update'`,
      [resource.name, row.id],
    )
    expect(rows).toEqual([{ n: 1 }])
  })

  test('a change of any single field is a conflict for older versions', async () => {
    const row = await createSample(product.app, admin, resource)
    const url = `${resource.path}/${row.id}`
    let knownTime = row.updated_at
    const fresh = await sampleBody(product.app, admin, resource)
    for (const [key] of getWritableFields(resource.fields)) {
      const answer = await put(url, { [key]: fresh[key], updated_at: knownTime })
      expect(answer.statusCode, answer.body).toBe(200)
      expect((await put(url, { [key]: fresh[key], updated_at: knownTime })).statusCode, key).toBe(409)
      knownTime = answer.json<Row>().updated_at
    }
  })

  test('a change without updated_at is saved over any version', async () => {
    const row = await createSample(product.app, admin, resource)
    for (const version of [{}, { updated_at: null }]) {
      const body = await sampleBody(product.app, admin, resource)
      expect((await put(`${resource.path}/${row.id}`, { ...body, ...version })).statusCode).toBe(200)
    }
    const wrong = await put(`${resource.path}/${row.id}`, { updated_at: 'yesterday' })
    expect(wrong.statusCode).toBe(422)
    expect(wrong.json<{ errors: { field: string }[] }>().errors[0]?.field).toBe('updated_at')
    expect(resourceCalls(resource).update.body).toHaveProperty('properties.updated_at')
  })
})

test('updated_at is compared to the microsecond, in any time zone', async () => {
  const resource = resources.find(({ name }) => name === 'offers') as Resource
  const row = await createSample(product.app, admin, resource)
  const url = `${resource.path}/${row.id}`
  const resetTime = async () => {
    const text = `update offers set updated_at = '2026-11-21 09:42:00.123456+05' where id = $1`
    await product.deps.pool.query(text, [row.id])
  }
  for (const [updated_at, status] of [
    ['2026-11-21T09:42:00.123457+05:00', 409],
    ['2026-11-21T09:42:00.123+05:00', 409],
    ['2026-11-21T09:42:00.123456+05:00', 200],
    ['2026-11-21T04:42:00.123456Z', 200],
  ] as const) {
    await resetTime()
    expect((await put(url, { name: 'x', updated_at })).statusCode, updated_at).toBe(status)
  }
})

test('a change that began earlier and ended later still increases updated_at', async () => {
  const resource = resources.find(({ name }) => name === 'offers') as Resource
  const row = await createSample(product.app, admin, resource)
  const ahead = '2999-01-01T00:00:00.000001+05:00'
  await product.deps.pool.query('update offers set updated_at = $2 where id = $1', [row.id, ahead])
  const answer = await put(`${resource.path}/${row.id}`, { name: 'x', updated_at: ahead })
  expect(answer.json<Row>().updated_at).toBe('2999-01-01T00:00:00.000002+05:00')
})

test("the own profile and the admin's change of the same person conflict", async () => {
  const profile = async () => (await callApi(product.app, admin, 'GET', '/parcel/auth/profile')).json<Row>()
  const { id, updated_at } = await profile()
  expect((await put(`/api/admin/users/${id}`, { name: 'By an admin', updated_at })).statusCode).toBe(200)
  const stale = await put('/parcel/auth/profile', { name: 'By herself', updated_at })
  expect([stale.statusCode, stale.json()]).toEqual([409, conflict('profile')])
  const current = await profile()
  expect(current.name).toBe('By an admin')
  expect(
    (await put('/parcel/auth/profile', { name: 'By herself', updated_at: current.updated_at })).statusCode,
  ).toBe(200)
  expect((await put('/parcel/auth/profile', { name: 'Admin' })).statusCode).toBe(200)
})

test("a change of a role's sources conflicts with an older version of the role", async () => {
  const [resource, access] = ['roles', 'role-source-access'].map((name) =>
    resources.find((entry) => entry.name === name),
  )
  const role = await createSample(product.app, admin, resource as Resource)
  const createdAccess = await createSample(product.app, admin, access as Resource, { role_id: role.id })
  const url = `/api/admin/roles/${role.id}`
  expect((await put(url, { source_ids: [], updated_at: role.updated_at })).statusCode).toBe(409)
  const { updated_at } = (await callApi(product.app, admin, 'GET', url)).json<Row>()
  await callApi(product.app, admin, 'DELETE', `/api/admin/role-source-access/${createdAccess.id}`)
  expect((await put(url, { source_ids: [], updated_at })).statusCode).toBe(409)
})
