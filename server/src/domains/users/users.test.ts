import { roles } from '@karvon/contract/roles/roles.ts'
import { users } from '@karvon/contract/users/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signIn, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { readOwnId } from '../../../test/people.ts'
import { createSample } from '../../../test/sample.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

const put = (path: string, body?: object, as = admin) =>
  callApi(product.app, as, 'PUT', `/api/admin${path}`, body)
const lastAdmin = {
  detail: 'The last active administrator must remain an administrator.',
  code: 'last_admin',
}

test('a username that differs only in letter case is a duplicate, and the answer names the field', async () => {
  await createSample(product.app, admin, users, { username: 'Botir' })
  const second = await callApi(product.app, admin, 'POST', '/api/admin/users', {
    username: 'BOTIR',
    name: 'x',
    email: 'x@example.com',
    password: 'uzun parol 1',
    role_id: 1,
  })
  expect([second.statusCode, second.json()]).toEqual([
    409,
    {
      detail: 'Username is already taken.',
      code: 'already_exists',
      params: { label: 'Username' },
      errors: [
        {
          field: 'username',
          message: 'Username is already taken.',
          code: 'already_exists',
          params: { label: 'Username' },
        },
      ],
    },
  ])
})

test('a password is stored as a hash, is never answered, and an empty one changes nothing', async () => {
  const row = await createSample(product.app, admin, users, {
    username: 'keeper',
    password: 'keeper-password',
  })
  expect(JSON.stringify(row)).not.toContain('keeper-password')
  for (const password of ['', null, undefined])
    expect((await put(`/users/${row.id}`, { password })).statusCode).toBe(200)
  const session = await signIn(product.app, 'keeper', 'keeper-password')
  expect((await put(`/users/${row.id}`, { password: 'set-by-admin' })).statusCode).toBe(200)
  expect((await callApi(product.app, session, 'GET', '/parcel/auth/me')).statusCode).toBe(401)
  await signIn(product.app, 'keeper', 'set-by-admin')
})

test.each([
  ['no body', {}, undefined],
  ['an empty JSON body', { 'content-type': 'application/json' }, ''],
  ['an empty object', { 'content-type': 'application/json' }, '{}'],
  ['an empty form', { 'content-type': 'application/x-www-form-urlencoded' }, ''],
  ['anything at all', { 'content-type': 'text/plain' }, 'x'],
])('a user is activated and deactivated with %s', async (_name, headers, payload) => {
  const row = await createSample(product.app, admin, users)
  for (const [verb, active] of [
    ['deactivate', false],
    ['deactivate', false],
    ['activate', true],
  ] as const) {
    const answer = await product.app.inject({
      method: 'PUT',
      url: `/api/admin/users/${row.id}/${verb}`,
      headers: { ...admin.headers, ...headers },
      ...(payload !== undefined && { payload }),
    })
    expect(answer.json()).toMatchObject({ id: row.id, is_active: active, isActive: active })
  }
  expect((await put('/users/999999/activate')).statusCode).toBe(404)
  const log = await product.deps.db
    .selectFrom('audit_log')
    .select('action')
    .where('resource', '=', 'users')
    .where('row_id', '=', row.id)
    .orderBy('id')
    .execute()
  expect(log.map((line) => line.action)).toEqual(['create', 'deactivate', 'activate'])
})

test('the last active admin cannot lose the role, be deactivated or be deleted', async () => {
  const otherUser = await createSample(product.app, admin, users, {
    username: 'second',
    password: 'second-password',
    role_id: 1,
  })
  await put(`/users/${otherUser.id}/deactivate`)
  for (const attempt of [
    () => put('/users/1/deactivate'),
    () => put('/users/1', { role_id: 2 }),
    () => put('/roles/1', { code: 'boss' }),
    () => put('/roles/1', { code: 'ADMIN' }),
  ]) {
    const answer = await attempt()
    expect([answer.statusCode, answer.json()]).toEqual([409, lastAdmin])
  }
  expect((await callApi(product.app, admin, 'GET', '/parcel/auth/me')).statusCode).toBe(200)
  await put(`/users/${otherUser.id}/activate`)
  expect((await put('/users/1/deactivate')).statusCode).toBe(200)
  const second = await signIn(product.app, 'second', 'second-password')
  expect((await put(`/users/${otherUser.id}`, { role_id: 2 }, second)).json()).toEqual(lastAdmin)
  expect((await put('/users/1/activate', undefined, second)).statusCode).toBe(200)
  admin = await signInAdmin(product.app)
})

test('two last admins cannot both be removed at the same time', async () => {
  const second = await signIn(product.app, 'second', 'second-password')
  const id = await readOwnId(product.app, second)
  for (let round = 0; round < 8; round += 1) {
    const answers = await Promise.all([
      put('/users/1/deactivate'),
      put(`/users/${id}`, { role_id: 2 }, second),
    ])
    const statuses = answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)
    expect(statuses[0]).toBe(200)
    // The slower request is refused, or its session has ended already.
    expect([401, 403, 409]).toContain(statuses[1])
    await product.deps.db
      .updateTable('users')
      .set({ is_active: true, role_id: 1 })
      .where('id', 'in', [1, id])
      .execute()
    await product.deps.identities.invalidate()
    admin = await signInAdmin(product.app)
  }
})

test('a changed role, or its changed code, takes effect with the next request', async () => {
  const role = await createSample(product.app, admin, roles, { code: 'helper' })
  const row = await createSample(product.app, admin, users, {
    username: 'moved',
    password: 'moved-password',
    role_id: 1,
  })
  const session = await signIn(product.app, 'moved', 'moved-password')
  const status = async () => (await callApi(product.app, session, 'GET', '/api/admin/offers')).statusCode
  expect(await status()).toBe(200)
  await put(`/users/${row.id}`, { role_id: role.id })
  expect(await status()).toBe(403)
  expect((await put(`/roles/${role.id}`, { code: 'Admin' })).json()).toMatchObject({ code: 'already_exists' })
})
