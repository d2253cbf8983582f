import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product } from '../../../test/app.ts'
import { createUser, getPassword } from '../../../test/people.ts'
import { turnOnSecondFactor } from '../../../test/second-factor.ts'

let product: Product
const lines: string[] = []

beforeAll(async () => {
  product = await createTestApp({ KARVON_LOG: 'info' }, {}, { write: (line) => void lines.push(line) })
})
afterAll(() => product.close())

const events = () =>
  lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => 'security' in line)
const login = (username: string, password: string) =>
  callApi(product.app, null, 'POST', '/parcel/auth/login', { username, password })

test('the log records sign-ins, failures, limits and refusals, and no secret', async () => {
  const admin = await signInAdmin(product.app)
  const lola = await createUser(product.app, admin, 'lola')
  await login('lola', 'a wrong password')
  await login('typed-a-password-here', 'another wrong one')
  await callApi(product.app, lola, 'GET', '/api/admin/users/')
  for (let i = 0; i < 4; i += 1) await login('lola', 'a wrong password')
  // On a busy machine, a block of one second may end before the next request.
  await product.deps.pool.query(
    `update sign_in_failures set blocked_until = blocked_until + interval '1 hour'`,
  )
  for (let i = 0; i < 2; i += 1) await login('lola', 'a wrong password')
  await callApi(product.app, lola, 'POST', '/parcel/auth/logout')
  const loggedEvents = events().map(({ security, user_id }) => [security, user_id])
  expect(loggedEvents).toEqual([
    ['sign_in', 1],
    ['sign_in', 2],
    ['sign_in_failed', 2],
    ['sign_in_failed', null],
    ['forbidden', 2],
    ...Array.from({ length: 4 }, () => ['sign_in_failed', 2]),
    ['sign_in_locked_out', 2],
    ['sign_in_locked_out', 2],
    ['sign_out', 2],
  ])
  expect(events()[4]).toMatchObject({ call: 'GET /api/admin/users', address: '127.0.0.1' })
  const logText = lines.join('')
  for (const secret of ['a wrong password', 'typed-a-password-here', getPassword('lola'), lola.token])
    expect(logText).not.toContain(secret)
})

test('the log records each wrong password and code of a signed-in person, and no right one', async () => {
  const admin = await signInAdmin(product.app)
  const nodira = await createUser(product.app, admin, 'nodira')
  const { authenticator } = await turnOnSecondFactor(product.app, nodira, getPassword('nodira'))
  const right = { current_password: getPassword('nodira') }
  const at = '/parcel/auth/second-factor'
  const wrong = [
    ['PUT', '/parcel/auth/profile', { email: 'new@example.uz', current_password: 'not this one' }],
    ['PUT', '/parcel/auth/profile', { email: 'new@example.uz', code: '000000' }],
    ['PUT', '/parcel/auth/profile', { password: 'another one 41', current_password: 'not this one' }],
    ['DELETE', '/parcel/auth/sessions', { code: '000000' }],
    ['DELETE', '/parcel/auth/telegram/', { current_password: 'not this one' }],
    ['POST', `${at}/off`, { ...right, code: '000000' }],
    ['POST', `${at}/recovery-codes`, { current_password: 'not this one', code: '000000' }],
  ] as const
  for (const [method, url, body] of wrong) {
    lines.splice(0)
    expect((await callApi(product.app, nodira, method, url, body)).statusCode, `${method} ${url}`).toBe(422)
    expect(events(), `${method} ${url}`).toMatchObject([
      { security: 'reauthentication_failed', user_id: 3, address: '127.0.0.1' },
    ])
    for (const secret of ['not this one', '000000', getPassword('nodira')])
      expect(lines.join('')).not.toContain(secret)
  }
  lines.splice(0)
  const changes = [{ name: 'Nodira' }, { email: 'new@example.uz' }, { email: 'new@example.uz', ...right }]
  for (const body of changes) await callApi(product.app, nodira, 'PUT', '/parcel/auth/profile', body)
  await product.deps.db.deleteFrom('sign_in_failures').execute()
  expect(
    (await callApi(product.app, nodira, 'POST', `${at}/off`, { ...right, code: authenticator.next() }))
      .statusCode,
  ).toBe(200)
  expect(events()).toEqual([])
})

test('the log records a missing and a wrong code of a sign-in apart', async () => {
  const admin = await signInAdmin(product.app)
  const zafar = await createUser(product.app, admin, 'zafar')
  await turnOnSecondFactor(product.app, zafar, getPassword('zafar'))
  lines.splice(0)
  await login('zafar', getPassword('zafar'))
  await callApi(product.app, null, 'POST', '/parcel/auth/login', {
    username: 'zafar',
    password: getPassword('zafar'),
    code: '000000',
  })
  expect(events().map(({ security }) => security)).toEqual(['second_factor_required', 'second_factor_failed'])
})

test('many equal events of one network are counted instead of written', async () => {
  lines.splice(0)
  const lola = await createUser(product.app, await signInAdmin(product.app), 'lola2')
  for (let i = 0; i < 100; i += 1) await callApi(product.app, lola, 'GET', '/api/admin/users/')
  const forbidden = events().filter(({ security }) => security === 'forbidden')
  expect(forbidden.length).toBeGreaterThan(0)
  expect(forbidden.length).toBeLessThanOrEqual(60)
})
