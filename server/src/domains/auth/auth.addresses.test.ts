import { users } from '@karvon/contract/users/users.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, signInAdmin, type Product } from '../../../test/app.ts'
import { createSample } from '../../../test/sample.ts'

const person = { username: 'Guli', password: 'guli-password' }

let product: Product

beforeAll(async () => {
  product = await createTestApp()
  await createSample(product.app, await signInAdmin(product.app), users, { ...person, role_id: 2 })
})
afterAll(() => product.close())
beforeEach(() => product.deps.db.deleteFrom('sign_in_failures').execute())

const login = (username: string, password: string) =>
  product.app.inject({
    method: 'POST',
    url: '/parcel/auth/login',
    payload: { username, password },
    remoteAddress: '10.1.1.1',
  })

/** On a busy machine, a block of one second may end before the next request. */
const hold = () =>
  product.deps.pool.query(`update sign_in_failures set blocked_until = blocked_until + interval '1 hour'`)

const setAddressFailures = (failures: number, minutes: number) =>
  product.deps.pool.query(
    `insert into sign_in_failures (key, failures, last_at)
     values ('address:10.1.1.1', $1, now() - make_interval(mins => $2))`,
    [failures, minutes],
  )

test('a successful sign-in does not block its address, also after many failed ones', async () => {
  await setAddressFailures(55, 0)
  for (let i = 0; i < 3; i += 1) expect((await login(person.username, person.password)).statusCode).toBe(200)
  expect((await login('guess', 'wrong')).statusCode).toBe(401)
  await hold()
  expect((await login(person.username, person.password)).statusCode).toBe(429)
})

test('attempts that a blocked account refuses do not count for its address', async () => {
  for (let i = 0; i < 5; i += 1) await login('guess', 'wrong')
  await hold()
  for (let i = 0; i < 60; i += 1) expect((await login('guess', 'wrong')).statusCode).toBe(429)
  expect((await login(person.username, person.password)).statusCode).toBe(200)
})

test('failed sign-ins of an address are forgiven evenly in an hour, while others sign in', async () => {
  await setAddressFailures(60, 30)
  expect((await login('guess', 'wrong')).statusCode).toBe(401)
  const text = `select round(failures) as failures, blocked_until from sign_in_failures where key = 'address:10.1.1.1'`
  const { rows } = await product.deps.pool.query(text)
  expect(rows).toEqual([{ failures: 36, blocked_until: null }])
})

test('successful sign-ins from one office do not count as failures', async () => {
  for (let i = 0; i < 60; i += 1) expect((await login(person.username, person.password)).statusCode).toBe(200)
})
