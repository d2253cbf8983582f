import { users } from '@karvon/contract/users/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  callApi,
  createTestApp,
  firstAdmin,
  signInAdmin,
  type Product,
  type Session,
} from '../../../test/app.ts'
import { buildTextForm, textFormType } from '../../../test/files.ts'
import { createSample } from '../../../test/sample.ts'

let product: Product
let admin: Session
const person = { username: 'Шахноза', password: 'parol-шахнозы' }
let personId: number

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  personId = (await createSample(product.app, admin, users, { ...person, role_id: 2 })).id
})
afterAll(() => product.close())
beforeEach(() => forgetFailures())

const forgetFailures = () => product.deps.db.deleteFrom('sign_in_failures').execute()
const login = (username: string, password: string, remoteAddress = '10.1.1.1') =>
  product.app.inject({
    method: 'POST',
    url: '/parcel/auth/login',
    payload: { username, password },
    remoteAddress,
  })
const loginAt = (body: object, remoteAddress: string) =>
  product.app.inject({ method: 'POST', url: '/parcel/auth/login', payload: body, remoteAddress })
const me = (as: Session) => callApi(product.app, as, 'GET', '/parcel/auth/me')

describe('Sign-in', () => {
  test.each([
    ['a form', textFormType, buildTextForm(Object.entries({ ...person, other: 'ignored' }))],
    ['JSON', 'application/json', JSON.stringify(person)],
    ['an address-encoded body', 'application/x-www-form-urlencoded', new URLSearchParams(person).toString()],
  ])(
    'a sign-in works with %s, and answers the token and the person in both spellings',
    async (_name, type, payload) => {
      const headers = { 'content-type': type }
      const answer = await product.app.inject({
        method: 'POST',
        url: '/parcel/auth/login/',
        headers,
        payload,
      })
      expect(answer.statusCode, answer.body).toBe(200)
      expect(answer.headers['cache-control']).toBe('no-store')
      const body = answer.json<Record<string, string>>()
      expect(body).toMatchObject({
        id: personId,
        username: person.username,
        role: 'user',
        isActive: true,
        is_active: true,
      })
      expect(body.createdAt).toBe(body.created_at)
      expect(body.access_token).toMatch(/^[\w-]{43}$/)
      const storedSessions = await product.deps.db
        .selectFrom('sessions')
        .select('token_hash')
        .where('user_id', '=', personId)
        .execute()
      expect(storedSessions.every((row) => row.token_hash.length === 32)).toBe(true)
      expect(JSON.stringify(storedSessions)).not.toContain(body.access_token)
      expect(
        (await me({ token: '', headers: { authorization: `bearer ${body.access_token}` } })).json(),
      ).toMatchObject({
        id: personId,
        name: body.name,
      })
    },
  )

  test('a sign-in form with two different passwords is refused', async () => {
    const payload = buildTextForm([...Object.entries(person), ['password', 'other']])
    const headers = { 'content-type': textFormType }
    const answer = await product.app.inject({ method: 'POST', url: '/parcel/auth/login', headers, payload })
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors: [{ field: 'password' }] }])
  })

  test('people of one office who sign in at once are all signed in', async () => {
    await product.deps.pool.query(
      `insert into users (username, name, email, password_hash, role_id)
       select 'office' || n, name, 'office' || n || '@desk.example', password_hash, role_id
       from users cross join generate_series(1, 54) n where id = $1`,
      [personId],
    )
    const office = Array.from({ length: 54 }, (_item, n) => login(`office${n + 1}`, person.password))
    const tabs = Array.from({ length: 8 }, () => login(person.username, person.password))
    const statuses = (await Promise.all([...office, ...tabs])).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  })

  test('a sign-in ignores the letter case of the username', async () => {
    expect((await login('шахноза', person.password)).statusCode).toBe(200)
    expect((await login(' ШАХНОЗА ', person.password)).statusCode).toBe(200)
  })

  test('a sign-in ignores the kind of an apostrophe, and counts its failures together', async () => {
    const password = 'parol-шахнозы'
    const { id } = await createSample(product.app, admin, users, {
      username: "o'g'iloy",
      password,
      role_id: 2,
    })
    for (const username of ["o'g'iloy", 'oʻgʻiloy', 'O’G‘ILOY'])
      expect((await login(username, password)).json(), username).toMatchObject({ id, username: "o'g'iloy" })
    const { device } = (await login('o’g’iloy', password)).json<{ device: string }>()
    const knownAnswer = await loginAt({ username: 'o’g’iloy', password, device }, '10.1.1.1')
    expect(knownAnswer.json<{ device: string }>().device, 'the same device').toBe(device)
    // A database from before the check of look-alikes can have both.
    const other = await createSample(product.app, admin, users, { username: 'other', password, role_id: 2 })
    await product.deps.db
      .updateTable('users')
      .set({ username: 'oʻgʻiloy' })
      .where('id', '=', other.id)
      .execute()
    expect((await login('oʻgʻiloy', password)).json()).toMatchObject({ id: other.id })
    expect((await login("o'g'iloy", password)).json()).toMatchObject({ id })
    for (const username of ["o'g'iloy", 'oʻgʻiloy', 'o’g’iloy', 'o`g`iloy', 'o´g´iloy'])
      expect((await login(username, 'wrong')).statusCode).toBe(401)
    await hold()
    expect((await login('o‘g‘iloy', 'wrong')).statusCode).toBe(429)
  })

  test('a wrong name, a wrong password and an inactive account get the same answer', async () => {
    const deactivatedUser = await createSample(product.app, admin, users, { password: 'gone-password' })
    await callApi(product.app, admin, 'PUT', `/api/admin/users/${deactivatedUser.id}/deactivate`)
    const tries = [
      () => login('nobody', person.password),
      () => login(person.username, 'wrong'),
      () => login(String(deactivatedUser.username), 'gone-password'),
    ]
    for (const attempt of tries) {
      const answer = await attempt()
      expect([answer.statusCode, answer.json()]).toEqual([
        401,
        { detail: 'Incorrect username or password.', code: 'wrong_credentials' },
      ])
    }
  })

  test('a sign-in checks one password for a wrong name, a wrong password and an inactive account', async () => {
    const { id } = await createSample(product.app, admin, users, { username: 'inactive', role_id: 2 })
    await callApi(product.app, admin, 'PUT', `/api/admin/users/${id}/deactivate`)
    const verify = vi.spyOn(product.deps.passwords, 'verify')
    for (const [n, name] of ['nobody', person.username, 'inactive'].entries()) {
      expect((await login(name, 'x', `10.9.${n}.1`)).statusCode).toBe(401)
      expect(verify, name).toHaveBeenCalledTimes(n + 1)
    }
    verify.mockRestore()
  })

  test('a sign-in without username and password answers 422 for both fields', async () => {
    const answer = await login('', '')
    expect(answer.statusCode).toBe(422)
    expect(answer.json<{ errors: unknown[] }>().errors).toHaveLength(2)
    const text = await product.app.inject({
      method: 'POST',
      url: '/parcel/auth/login',
      headers: { 'content-type': 'text/plain' },
      payload: 'x',
    })
    expect(text.statusCode).toBe(415)
  })
})

describe('Failed sign-ins', () => {
  test('five failed sign-ins have no wait, and each later one waits twice as long as the one before', async () => {
    for (let i = 0; i < 5; i += 1) expect((await login(person.username, 'wrong')).statusCode).toBe(401)
    for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
      expect(await waits()).toEqual([wait])
      // On a busy machine, a block of one second may end before the next request.
      await hold()
      const answer = await login(person.username, person.password)
      expect([answer.statusCode, answer.json()]).toEqual([
        429,
        {
          detail: `Too many failed attempts. Try again in ${answer.headers['retry-after']} s.`,
          code: 'too_many_failed_attempts',
          params: { seconds: Number(answer.headers['retry-after']) },
        },
      ])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(wait)
      await endWait()
      expect((await login(person.username, 'wrong')).statusCode).toBe(401)
    }
    await endWait()
    expect((await login(person.username, person.password)).statusCode).toBe(200)
    expect((await login(person.username, 'wrong')).statusCode).toBe(401)
  })

  test('failed sign-ins to an unknown account wait as those to a known one', async () => {
    for (let i = 0; i < 5; i += 1) expect((await login('Nobody', 'wrong')).statusCode).toBe(401)
    await hold()
    for (const name of ['Nobody', 'nobody']) expect((await login(name, 'wrong')).statusCode).toBe(429)
  })

  test('of twenty simultaneous failed sign-ins five are answered with 401, and the others with 429', async () => {
    const startedAt = performance.now()
    const answers = await Promise.all(Array.from({ length: 20 }, () => login(person.username, 'wrong')))
    const seconds = Math.floor((performance.now() - startedAt) / 1000)
    const count = (status: number) => answers.filter((answer) => answer.statusCode === status).length
    expect(count(401) + count(429)).toBe(20)
    expect(count(401)).toBeGreaterThanOrEqual(5)
    // On a busy machine the first wait, a second, can end before the last sign-in.
    expect(count(401)).toBeLessThanOrEqual(5 + seconds)
  })

  test('failed sign-ins are counted by address too, over all accounts', async () => {
    for (let i = 0; i < 50; i += 1)
      expect((await login(`guess${i}`, 'wrong', '10.9.9.9')).statusCode).toBe(401)
    await hold()
    expect((await login(person.username, person.password, '10.9.9.9')).statusCode).toBe(429)
    expect((await login(person.username, person.password, '10.9.9.8')).statusCode).toBe(200)
  })

  test('failed sign-ins from other networks do not block an account', async () => {
    for (let i = 0; i < 60; i += 1) await login(person.username, 'wrong', `2001:db8:0:${i % 4}::${i}`)
    await product.deps.pool.query(
      `update sign_in_failures set blocked_until = blocked_until + interval '1 hour'`,
    )
    expect((await login(person.username, person.password, '10.1.1.2')).statusCode).toBe(200)
    expect((await login(person.username, person.password, '2001:db8:0:1::7')).statusCode).toBe(429)
  })

  test('failed sign-ins do not block a device that signed in before, even from the same network', async () => {
    const first = await login(person.username, person.password)
    const { device } = first.json<{ device: string }>()
    for (let i = 0; i < 60; i += 1) await login(i < 8 ? person.username : `guess${i}`, 'wrong')
    await product.deps.pool.query(
      `update sign_in_failures set blocked_until = blocked_until + interval '1 hour'`,
    )
    expect((await login(person.username, person.password)).statusCode).toBe(429)
    const again = await loginAt({ ...person, device }, '10.1.1.1')
    expect([again.statusCode, again.json<{ device: string }>().device]).toEqual([200, device])
    const otherAnswer = await loginAt({ username: 'admin', password: 'wrong', device }, '10.1.1.1')
    expect(otherAnswer.statusCode, 'a device of somebody else').toBe(429)
  })

  test('failed sign-ins of a known device are limited too', async () => {
    const { device } = (await login(person.username, person.password)).json<{ device: string }>()
    const attempt = async () =>
      (await loginAt({ ...person, password: 'wrong', device }, '10.1.1.1')).statusCode
    for (let i = 0; i < 5; i += 1) expect(await attempt()).toBe(401)
    // On a busy machine, a block of one second may end before the next request.
    await hold()
    expect(await attempt()).toBe(429)
  })

  test('failed sign-ins to one account from many networks are limited in total', async () => {
    await product.deps.pool.query(
      `insert into sign_in_failures (key, failures, last_at) values ($1, 100, now())`,
      [`account:${person.username.toLowerCase()}`],
    )
    const firstAnswer = await login(person.username, 'wrong', '10.77.0.1')
    await hold()
    const next = await login(person.username, 'wrong', '10.77.0.2')
    expect([firstAnswer.statusCode, next.statusCode]).toEqual([401, 429])
  })

  test('failed sign-ins with any spelling of a username count for the same account', async () => {
    for (const spelling of ['admİn', 'ａｄｍｉｎ', 'ADMIN', ' admin ', 'Admin'])
      await login(spelling, 'wrong')
    const { rows } = await product.deps.pool.query(
      `select key, ceil(failures) as failures from sign_in_failures where key like 'account:%@%' order by key collate "C"`,
    )
    const statusCode = (await login('ａｄｍｉｎ', firstAdmin.password)).statusCode
    expect([rows, statusCode]).toEqual([
      [
        { key: 'account:admin@10.1.1.1', failures: 4 },
        { key: 'account:admi\u0307n@10.1.1.1', failures: 1 },
      ],
      200,
    ])
    expect((await login('admİn', firstAdmin.password)).statusCode).toBe(401)
  })
})

/** Seconds of the block after the last failure. */
const waits = async () => {
  const text = `select extract(epoch from blocked_until - last_at)::int as wait from sign_in_failures
    where key like 'account:%' and blocked_until is not null`
  return (await product.deps.pool.query<{ wait: number }>(text)).rows.map(({ wait }) => wait)
}

const hold = () =>
  product.deps.pool.query(`update sign_in_failures set blocked_until = blocked_until + interval '1 hour'`)

/** Ends the block. */
const endWait = () => product.deps.pool.query('update sign_in_failures set blocked_until = now()')
