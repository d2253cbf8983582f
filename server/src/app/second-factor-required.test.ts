import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { operations } from '../../test/access.operations.ts'
import {
  callApi,
  createTestApp,
  firstAdmin,
  signIn,
  signInAdmin,
  type Product,
  type Session,
} from '../../test/app.ts'
import { createUser, readId, getPassword } from '../../test/people.ts'
import { turnOnSecondFactor } from '../../test/second-factor.ts'

let product: Product

beforeAll(async () => {
  product = await createTestApp({ KARVON_REQUIRE_SECOND_FACTOR: 'admins' })
})
afterAll(() => product.close())

/** Written by hand: the calls that an admin may make before the second factor is set up. */
const allowedNames = [
  'auth.me',
  'auth.logout',
  'auth.profile',
  'auth.profile.update',
  'auth.second-factor.begin',
  'auth.second-factor.confirm',
]
const refusal = {
  detail: 'Administrators need a second factor here. Set it up in your profile first.',
  code: 'second_factor_setup_required',
}
const guardedCalls = operations.filter(({ guard }) => guard !== 'public')
const call = (as: Session, { method, path, hasBody }: (typeof operations)[number]) =>
  callApi(product.app, as, method, path, hasBody ? {} : undefined)

let admin: Session
beforeEach(async () => {
  admin = await signInAdmin(product.app)
})
afterEach(async () => {
  await product.deps.pool.query('update users set second_factor = false')
  await product.deps.pool.query('delete from second_factors')
  await product.deps.identities.invalidate()
})

const turnOn = () => turnOnSecondFactor(product.app, admin, firstAdmin.password)

test('an admin without the required second factor may make only the calls that set one up', async () => {
  expect(guardedCalls.length).toBeGreaterThan(allowedNames.length)
  for (const operation of guardedCalls.filter(({ name }) => !allowedNames.includes(name))) {
    const answer = await call(admin, operation)
    expect([answer.statusCode, answer.json()], operation.name).toEqual([403, refusal])
  }
  for (const url of ['/api/openapi.json', '/api/docs/json', '/api/docs/yaml']) {
    const answer = await callApi(product.app, admin, 'GET', url)
    expect([answer.statusCode, answer.json()], url).toEqual([403, refusal])
  }
  for (const name of allowedNames) {
    const operation = guardedCalls.find((guardedCall) => guardedCall.name === name)
    if (operation === undefined) throw new Error(`${name} is no call`)
    const ownSession = await signInAdmin(product.app)
    const answer = await call(ownSession, operation)
    expect([200, 422], name).toContain(answer.statusCode)
  }
})

test('an admin may make every call as soon as the second factor is on', async () => {
  const profile = () => callApi(product.app, admin, 'GET', '/parcel/auth/profile')
  expect((await profile()).json()).toMatchObject({ second_factor: false, second_factor_required: true })
  await turnOn()
  expect((await profile()).json()).toMatchObject({ second_factor: true, second_factor_required: true })
  expect((await callApi(product.app, admin, 'GET', '/api/admin/users/')).statusCode).toBe(200)
  for (const operation of guardedCalls.filter(({ name }) => name !== 'auth.logout')) {
    const answer = await call(admin, operation)
    expect([401, 403], operation.name).not.toContain(answer.statusCode)
  }
})

test('an admin cannot turn off a second factor that is required', async () => {
  const { recovery } = await turnOn()
  const off = await callApi(product.app, admin, 'POST', '/parcel/auth/second-factor/off', {
    current_password: firstAdmin.password,
    code: recovery[0],
  })
  expect([off.statusCode, off.json()]).toEqual([
    409,
    {
      detail: 'Administrators need a second factor here: it cannot be turned off.',
      code: 'second_factor_mandatory',
    },
  ])
  expect((await callApi(product.app, admin, 'GET', '/parcel/auth/profile')).json()).toMatchObject({
    second_factor: true,
    recovery_codes_left: 10,
  })
})

test('the requirement holds for an admin whose second factor was removed and for a person made an admin', async () => {
  await turnOn()
  const list = (as: Session) => callApi(product.app, as, 'GET', '/api/parcel/parcels/all')
  const lola = await createUser(product.app, admin, 'lola')
  expect((await list(lola)).statusCode).toBe(200)
  const id = await readId(product.app, admin, '/api/admin/users/?username=lola')
  await callApi(product.app, admin, 'PUT', `/api/admin/users/${id}`, { role_id: 1 })
  expect((await list(lola)).json()).toEqual(refusal)
  await turnOnSecondFactor(product.app, lola, getPassword('lola'))
  expect((await list(lola)).statusCode).toBe(200)

  await callApi(product.app, admin, 'DELETE', `/api/admin/users/${id}/second-factor/`)
  const anew = await signIn(product.app, 'lola', getPassword('lola'))
  expect((await list(anew)).json()).toEqual(refusal)
  await callApi(product.app, admin, 'PUT', `/api/admin/users/${id}`, { role_id: 2 })
  expect((await list(anew)).statusCode).toBe(200)
  const { recovery } = await turnOnSecondFactor(product.app, anew, getPassword('lola'))
  const off = { current_password: getPassword('lola'), code: recovery[0] }
  expect((await callApi(product.app, anew, 'POST', '/parcel/auth/second-factor/off', off)).statusCode).toBe(
    200,
  )
})
