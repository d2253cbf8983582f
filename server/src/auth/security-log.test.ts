import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, createTestApp, firstAdmin, signIn, type Product } from '../../test/app.ts'
import { createUser, passwordOf } from '../../test/people.ts'

let product: Product
const lines: string[] = []

beforeAll(async () => {
  product = await createTestApp({ KARVON_LOG: 'info' }, {}, { write: (line) => void lines.push(line) })
})
afterAll(() => product.close())

const events = () =>
  lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => 'security' in line)
const login = (username: string, password: string) =>
  ask(product.app, null, 'POST', '/parcel/auth/login', { username, password })

test('the log tells of sign-ins, failures, lock-outs and refusals, and of no secret', async () => {
  const admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
  const lola = await createUser(product.app, admin, 'lola')
  await login('lola', 'a wrong password')
  await login('typed-a-password-here', 'another wrong one')
  await ask(product.app, lola, 'GET', '/api/admin/users/')
  for (let i = 0; i < 6; i += 1) await login('lola', 'a wrong password')
  await ask(product.app, lola, 'POST', '/parcel/auth/logout')
  const seen = events().map(({ security, user_id }) => [security, user_id])
  expect(seen).toEqual([
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
  const all = lines.join('')
  for (const secret of ['a wrong password', 'typed-a-password-here', passwordOf('lola'), lola.token])
    expect(all).not.toContain(secret)
})

test('a flood of one event from one network is counted, not written', async () => {
  lines.splice(0)
  const lola = await createUser(
    product.app,
    await signIn(product.app, firstAdmin.username, firstAdmin.password),
    'lola2',
  )
  for (let i = 0; i < 100; i += 1) await ask(product.app, lola, 'GET', '/api/admin/users/')
  const forbidden = events().filter(({ security }) => security === 'forbidden')
  expect(forbidden.length).toBeGreaterThan(0)
  expect(forbidden.length).toBeLessThanOrEqual(60)
})
