import { users } from '@karvon/contract/users/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ask, createTestApp, firstAdmin, signIn, type Product, type Signed } from '../../../test/app.ts'
import { now } from '../../../test/moment.ts'
import { createSample } from '../../../test/sample.ts'

let product: Product
let admin: Signed
const person = { username: 'Шахноза', password: 'parol-шахнозы' }
let personId: number

beforeAll(async () => {
  product = await createTestApp()
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
  personId = (await createSample(product.app, admin, users, { ...person, role_id: 2 })).id
})
afterAll(() => product.close())
beforeEach(() => product.deps.db.deleteFrom('sign_in_failures').execute())

const login = (username: string, password: string) =>
  ask(product.app, null, 'POST', '/parcel/auth/login', { username, password })
const me = (as: Signed) => ask(product.app, as, 'GET', '/parcel/auth/me')
const put = (as: Signed, body: object) => ask(product.app, as, 'PUT', '/parcel/auth/profile', body)

describe('a session', () => {
  test('ends on sign-out, and no other does', async () => {
    const [one, two] = [
      await signIn(product.app, person.username, person.password),
      await signIn(product.app, person.username, person.password),
    ]
    expect((await me(one)).statusCode).toBe(200)
    expect((await ask(product.app, one, 'POST', '/parcel/auth/logout')).json()).toEqual({ signed_out: true })
    expect((await me(one)).statusCode).toBe(401)
    expect((await me(two)).statusCode).toBe(200)
  })

  test('is listed, its own marked, and all end together', async () => {
    await product.deps.db.deleteFrom('sessions').where('user_id', '=', personId).execute()
    await product.deps.identities.invalidate()
    const one = await signIn(product.app, person.username, person.password)
    const two = await signIn(product.app, person.username, person.password)
    const { items } = (await ask(product.app, two, 'GET', '/parcel/auth/sessions/')).json<{
      items: { current: boolean }[]
    }>()
    expect(items.map((session) => session.current)).toEqual([true, false])
    expect(items[0]).toMatchObject({ address: '127.0.0.1' })
    const proof = { current_password: person.password }
    const ended = await ask(product.app, two, 'DELETE', '/parcel/auth/sessions', proof)
    expect(ended.json()).toEqual({ ended: 2 })
    for (const each of [one, two]) expect((await me(each)).statusCode).toBe(401)
  })

  test('ends after seven idle days, and after thirty in all', async () => {
    for (const past of [
      "last_used_at = now() - interval '7 days 1 minute'",
      "expires_at = now() - interval '1 second'",
    ]) {
      const one = await signIn(product.app, person.username, person.password)
      await product.deps.pool.query(`update sessions set ${past} where user_id = $1`, [personId])
      expect((await me(one)).statusCode, past).toBe(401)
    }
  })

  test('notes its use once a minute at the most', async () => {
    const one = await signIn(product.app, person.username, person.password)
    const used = async () =>
      (
        await product.deps.db
          .selectFrom('sessions')
          .select('last_used_at')
          .where('user_id', '=', personId)
          .orderBy('id', 'desc')
          .executeTakeFirstOrThrow()
      ).last_used_at
    const before = await used()
    await me(one)
    expect(await used()).toBe(before)
    await product.deps.pool.query(
      `update sessions set last_used_at = now() - interval '2 minutes' where user_id = $1`,
      [personId],
    )
    await product.deps.identities.invalidate()
    await me(one)
    expect(now() - Date.parse(await used())).toBeLessThan(30_000)
  })

  test('that ends while it is being looked up is not remembered', async () => {
    const { identities, pool } = product.deps
    const one = await signIn(product.app, person.username, person.password)
    // The clock is stopped, so that no cached session expires.
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const looking = identities.identify(one.token)
      await identities.invalidate()
      expect(await looking).toMatchObject({ userId: personId })
      await pool.query('delete from sessions where user_id = $1', [personId])
      expect(await identities.identify(one.token)).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the profile', () => {
  test('changes name and email, and nothing that is not its own', async () => {
    const one = await signIn(product.app, person.username, person.password)
    const answer = await put(one, {
      name: ' Шахноза опа ',
      email: 'sh@example.uz',
      current_password: person.password,
      role_id: 1,
      role: 'admin',
      is_active: false,
    })
    expect(answer.json()).toMatchObject({
      name: 'Шахноза опа',
      email: 'sh@example.uz',
      role: 'user',
      is_active: true,
    })
    expect((await put(one, { name: '', email: 'nobody' })).json()).toHaveProperty('errors.1.field', 'email')
    expect((await ask(product.app, one, 'GET', '/parcel/auth/profile')).json()).toMatchObject({
      name: 'Шахноза опа',
    })
  })

  test('changes the password by the current one alone, and ends the other sessions', async () => {
    const one = await signIn(product.app, person.username, person.password)
    const two = await signIn(product.app, person.username, person.password)
    expect((await put(one, { password: 'new-password-1' })).json()).toHaveProperty(
      'errors.0.field',
      'current_password',
    )
    expect((await put(one, { password: 'new-password-1', current_password: 'wrong' })).statusCode).toBe(422)
    expect((await put(one, { password: 'short', current_password: person.password })).statusCode).toBe(422)
    expect(
      (await put(one, { password: 'new-password-1', current_password: person.password })).statusCode,
    ).toBe(200)
    expect([(await me(one)).statusCode, (await me(two)).statusCode]).toEqual([200, 401])
    expect((await login(person.username, person.password)).statusCode).toBe(401)
    expect((await login(person.username, 'new-password-1')).statusCode).toBe(200)
    expect(
      (await put(one, { password: person.password, current_password: 'new-password-1' })).statusCode,
    ).toBe(200)
  })

  test('holds back who guesses the current password', async () => {
    const one = await signIn(product.app, person.username, person.password)
    const guesses = []
    for (let i = 0; i < 6; i += 1)
      guesses.push((await put(one, { password: 'new-password-1', current_password: 'x' })).statusCode)
    expect(guesses).toEqual([422, 422, 422, 422, 422, 429])
  })
})
