import { resourceCalls } from '@karvon/contract/lib/resource-calls.ts'
import { getWritableFields, type Resource } from '@karvon/contract/lib/resource.ts'
import { resources } from '@karvon/contract/registry.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, firstAdmin, signIn, type Product, type Session } from '../../../test/app.ts'
import { createSample, sampleBody, type Row } from '../../../test/sample.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
})
afterAll(() => product.close())

const put = (url: string, body: object) => callApi(product.app, admin, 'PUT', url, body)
const read = async (of: Resource, id: number): Promise<Row> => {
  const answer = (await callApi(product.app, admin, 'GET', `${of.path}/${id}`)).json<Row & { items: Row[] }>()
  return of.quirks.firstOfItems ? (answer.items[0] as Row) : answer
}
const conflict = (noun: string) => {
  const message = `Somebody changed this ${noun} meanwhile. Nothing was saved.`
  const code = { code: 'changed_meanwhile', params: { noun } }
  return { detail: message, ...code, errors: [{ field: 'updated_at', message, ...code }] }
}

describe.each(resources.map((of) => [of.name, of] as const))('%s', (_name, of) => {
  test('one of 20 simultaneous changes of one row is saved', async () => {
    const row = await createSample(product.app, admin, of)
    expect(row.updated_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}(\.\d{1,6})?[+-]\d\d:\d\d$/)
    const body = { ...(await sampleBody(product.app, admin, of)), updated_at: row.updated_at }
    const at = `${of.path}/${row.id}/`
    const answers = await Promise.all(Array.from({ length: 20 }, () => put(at, body)))
    const savedAnswers = answers.filter(({ statusCode }) => statusCode === 200)
    expect(savedAnswers.length).toBe(1)
    for (const answer of answers) {
      if (answer.statusCode !== 200)
        expect([answer.statusCode, answer.json()]).toEqual([409, conflict(of.noun.one)])
    }
    expect(await read(of, row.id)).toEqual(savedAnswers[0]?.json())
    const { rows } = await product.deps.pool.query<{ n: number }>(
      `select count(*)::int as n from audit_log where resource = $1 and row_id = $2 and action = 'update'`,
      [of.name, row.id],
    )
    expect(rows).toEqual([{ n: 1 }])
  })

  test('a change of any single field is a conflict for older versions', async () => {
    const row = await createSample(product.app, admin, of)
    const url = `${of.path}/${row.id}`
    let knownTime = row.updated_at
    const fresh = await sampleBody(product.app, admin, of)
    for (const [key] of getWritableFields(of.fields)) {
      const answer = await put(url, { [key]: fresh[key], updated_at: knownTime })
      expect(answer.statusCode, answer.body).toBe(200)
      expect((await put(url, { [key]: fresh[key], updated_at: knownTime })).statusCode, key).toBe(409)
      knownTime = answer.json<Row>().updated_at
    }
  })

  test('a change without updated_at is saved over any version', async () => {
    const row = await createSample(product.app, admin, of)
    for (const version of [{}, { updated_at: null }]) {
      const body = await sampleBody(product.app, admin, of)
      expect((await put(`${of.path}/${row.id}`, { ...body, ...version })).statusCode).toBe(200)
    }
    const wrong = await put(`${of.path}/${row.id}`, { updated_at: 'yesterday' })
    expect(wrong.statusCode).toBe(422)
    expect(wrong.json<{ errors: { field: string }[] }>().errors[0]?.field).toBe('updated_at')
    expect(resourceCalls(of).update.body).toHaveProperty('properties.updated_at')
  })
})

test('updated_at is compared to the microsecond, in any time zone', async () => {
  const of = resources.find(({ name }) => name === 'offers') as Resource
  const row = await createSample(product.app, admin, of)
  const url = `${of.path}/${row.id}`
  const at = async () => {
    const text = `update offers set updated_at = '2026-11-21 09:42:00.123456+05' where id = $1`
    await product.deps.pool.query(text, [row.id])
  }
  for (const [updated_at, status] of [
    ['2026-11-21T09:42:00.123457+05:00', 409],
    ['2026-11-21T09:42:00.123+05:00', 409],
    ['2026-11-21T09:42:00.123456+05:00', 200],
    ['2026-11-21T04:42:00.123456Z', 200],
  ] as const) {
    await at()
    expect((await put(url, { name: 'x', updated_at })).statusCode, updated_at).toBe(status)
  }
})

test('a change that began earlier and ended later still increases updated_at', async () => {
  const of = resources.find(({ name }) => name === 'offers') as Resource
  const row = await createSample(product.app, admin, of)
  const ahead = '2999-01-01T00:00:00.000001+05:00'
  await product.deps.pool.query('update offers set updated_at = $2 where id = $1', [row.id, ahead])
  const answer = await put(`${of.path}/${row.id}`, { name: 'x', updated_at: ahead })
  expect(answer.json<Row>().updated_at).toBe('2999-01-01T00:00:00.000002+05:00')
})

test("the own profile and the admin's change of the same person conflict", async () => {
  const profile = async () => (await callApi(product.app, admin, 'GET', '/parcel/auth/profile')).json<Row>()
  const { id, updated_at } = await profile()
  expect((await put(`/api/admin/users/${id}`, { name: 'By an admin', updated_at })).statusCode).toBe(200)
  const stale = await put('/parcel/auth/profile', { name: 'By herself', updated_at })
  expect([stale.statusCode, stale.json()]).toEqual([409, conflict('profile')])
  const now = await profile()
  expect(now.name).toBe('By an admin')
  expect(
    (await put('/parcel/auth/profile', { name: 'By herself', updated_at: now.updated_at })).statusCode,
  ).toBe(200)
  expect((await put('/parcel/auth/profile', { name: 'Admin' })).statusCode).toBe(200)
})

test("a change of a role's sources conflicts with an older version of the role", async () => {
  const [of, access] = ['roles', 'role-source-access'].map((name) =>
    resources.find((resource) => resource.name === name),
  )
  const role = await createSample(product.app, admin, of as Resource)
  const createdAccess = await createSample(product.app, admin, access as Resource, { role_id: role.id })
  const url = `/api/admin/roles/${role.id}`
  expect((await put(url, { source_ids: [], updated_at: role.updated_at })).statusCode).toBe(409)
  const { updated_at } = (await callApi(product.app, admin, 'GET', url)).json<Row>()
  await callApi(product.app, admin, 'DELETE', `/api/admin/role-source-access/${createdAccess.id}`)
  expect((await put(url, { source_ids: [], updated_at })).statusCode).toBe(409)
})
