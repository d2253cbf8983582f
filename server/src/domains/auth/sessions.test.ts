import { users } from '@karvon/contract/users/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { callApi, createTestApp, signIn, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { now } from '../../../test/moment.ts'
import { createSample } from '../../../test/sample.ts'
import { runJob } from '../../../test/jobs.ts'
import { signInRetentionJob } from './auth.jobs.ts'

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
beforeEach(() => product.deps.db.deleteFrom('sign_in_failures').execute())

const login = (username: string, password: string) =>
  callApi(product.app, null, 'POST', '/parcel/auth/login', { username, password })
const me = (as: Session) => callApi(product.app, as, 'GET', '/parcel/auth/me')
const put = (as: Session, body: object) => callApi(product.app, as, 'PUT', '/parcel/auth/profile', body)

describe('Sessions', () => {
  test('a sign-out ends its own session and no other', async () => {
    const [first, second] = [
      await signIn(product.app, person.username, person.password),
      await signIn(product.app, person.username, person.password),
    ]
    expect((await me(first)).statusCode).toBe(200)
    expect((await callApi(product.app, first, 'POST', '/parcel/auth/logout')).json()).toEqual({
      signed_out: true,
    })
    expect((await me(first)).statusCode).toBe(401)
    expect((await me(second)).statusCode).toBe(200)
  })

  test('the list of sessions marks the current one, and all can be ended together', async () => {
    await product.deps.db.deleteFrom('sessions').where('user_id', '=', personId).execute()
    await product.deps.identities.invalidate()
    const first = await signIn(product.app, person.username, person.password)
    const second = await signIn(product.app, person.username, person.password)
    const { items, meta } = (await callApi(product.app, second, 'GET', '/parcel/auth/sessions/')).json<{
      items: { current: boolean }[]
      meta: object
    }>()
    expect(meta).toMatchObject({ current_page: 1, per_page: 10, total: 2, total_items: 2, filtered_total: 2 })
    const secondPage = await callApi(product.app, second, 'GET', '/parcel/auth/sessions?page=2&per_page=1')
    expect(secondPage.json()).toMatchObject({ items: [{ current: false }], meta: { has_previous: true } })
    const unmatched = await callApi(
      product.app,
      second,
      'GET',
      '/parcel/auth/sessions?search=no such browser',
    )
    expect(unmatched.json()).toMatchObject({ items: [], meta: { total: 2, filtered_total: 0 } })
    expect(items.map((session) => session.current)).toEqual([true, false])
    expect(items[0]).toMatchObject({ address: '127.0.0.1' })
    const proof = { current_password: person.password }
    const answer = await callApi(product.app, second, 'DELETE', '/parcel/auth/sessions', proof)
    expect(answer.json()).toEqual({ ended: 2 })
    for (const session of [first, second]) expect((await me(session)).statusCode).toBe(401)
  })

  test('a session ends after seven idle days, and after thirty days', async () => {
    for (const past of [
      "last_used_at = now() - interval '7 days 1 minute'",
      "expires_at = now() - interval '1 second'",
    ]) {
      const session = await signIn(product.app, person.username, person.password)
      await product.deps.pool.query(`update sessions set ${past} where user_id = $1`, [personId])
      expect((await me(session)).statusCode, past).toBe(401)
    }
  })

  test('the last use of a session is stored at most once a minute', async () => {
    const session = await signIn(product.app, person.username, person.password)
    const readUseTime = async () =>
      (
        await product.deps.db
          .selectFrom('sessions')
          .select('last_used_at')
          .where('user_id', '=', personId)
          .orderBy('id', 'desc')
          .executeTakeFirstOrThrow()
      ).last_used_at
    const before = await readUseTime()
    await me(session)
    expect(await readUseTime()).toBe(before)
    await product.deps.pool.query(
      `update sessions set last_used_at = now() - interval '2 minutes' where user_id = $1`,
      [personId],
    )
    await product.deps.identities.invalidate()
    await me(session)
    expect(now() - Date.parse(await readUseTime())).toBeLessThan(30_000)
  })

  test('a session that ends during its lookup is not cached', async () => {
    const { identities, pool } = product.deps
    const session = await signIn(product.app, person.username, person.password)
    // The clock is stopped, so that no cached session expires.
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const looking = identities.identify(session.token)
      await identities.invalidate()
      expect(await looking).toMatchObject({ userId: personId })
      await pool.query('delete from sessions where user_id = $1', [personId])
      expect(await identities.identify(session.token)).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })

  test('requests that arrive together share the lookup of their token, and a failed lookup is repeated', async () => {
    const { identities, pool } = product.deps
    const session = await signIn(product.app, person.username, person.password)
    await identities.invalidate()
    const query = vi.spyOn(pool, 'query')
    try {
      query.mockImplementationOnce(() => {
        throw new Error('away')
      })
      await expect(identities.identify(session.token)).rejects.toThrow('away')
      query.mockClear()
      const foundIdentities = await Promise.all([1, 2, 3].map(() => identities.identify(session.token)))
      expect(foundIdentities.map((identity) => identity?.userId)).toEqual([personId, personId, personId])
      expect(query).toHaveBeenCalledTimes(1)
    } finally {
      query.mockRestore()
    }
  })
})

describe('Profile', () => {
  test('the profile changes name and email, and ignores other fields', async () => {
    const session = await signIn(product.app, person.username, person.password)
    const answer = await put(session, {
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
    expect((await put(session, { name: '', email: 'nobody' })).json()).toHaveProperty(
      'errors.1.field',
      'email',
    )
    expect((await callApi(product.app, session, 'GET', '/parcel/auth/profile')).json()).toMatchObject({
      name: 'Шахноза опа',
    })
  })

  test.each([
    ['the email of this moment without a proof', (email: string) => ({ email })],
    ['a new password', () => ({ password: 'word of a thief', current_password: person.password })],
  ])('a change to %s fails if the credentials change meanwhile', async (_, createBody) => {
    const session = await signIn(product.app, person.username, person.password)
    const { email } = (await me(session)).json<{ email: string }>()
    const client = await product.deps.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from users where id = $1 for update', [personId])
      const answer = put(session, createBody(email))
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      const countWaiting = async () => (await product.deps.pool.query(waiting)).rowCount
      await expect.poll(countWaiting, { interval: 20 }).toBeGreaterThan(0)
      await client.query('update users set email = $2 where id = $1', [personId, 'new@example.uz'])
      await client.query('commit')
      expect((await answer).json()).toMatchObject({ code: 'edit_conflict' })
    } finally {
      client.release()
    }
    expect((await me(session)).json()).toMatchObject({ email: 'new@example.uz' })
    const changeBack = { email, current_password: person.password }
    expect((await put(session, changeBack)).statusCode).toBe(200)
  })

  test('a changed password needs the current one and ends the other sessions', async () => {
    const first = await signIn(product.app, person.username, person.password)
    const second = await signIn(product.app, person.username, person.password)
    expect((await put(first, { password: 'new-password-1' })).json()).toHaveProperty(
      'errors.0.field',
      'current_password',
    )
    expect((await put(first, { password: 'new-password-1', current_password: 'wrong' })).statusCode).toBe(422)
    expect((await put(first, { password: 'short', current_password: person.password })).statusCode).toBe(422)
    expect(
      (await put(first, { password: 'new-password-1', current_password: person.password })).statusCode,
    ).toBe(200)
    expect([(await me(first)).statusCode, (await me(second)).statusCode]).toEqual([200, 401])
    expect((await login(person.username, person.password)).statusCode).toBe(401)
    expect((await login(person.username, 'new-password-1')).statusCode).toBe(200)
    expect(
      (await put(first, { password: person.password, current_password: 'new-password-1' })).statusCode,
    ).toBe(200)
  })

  test('wrong current passwords are limited with 429', async () => {
    const session = await signIn(product.app, person.username, person.password)
    const guess = async () =>
      (await put(session, { password: 'new-password-1', current_password: 'x' })).statusCode
    for (let i = 0; i < 5; i += 1) expect(await guess()).toBe(422)
    // On a busy machine, a block of one second may end before the next request.
    await product.deps.pool.query(
      `update sign_in_failures set blocked_until = blocked_until + interval '1 hour'`,
    )
    expect(await guess()).toBe(429)
  })
})

test('old sessions, counters of failed sign-ins and devices are deleted, and no others', async () => {
  const { pool } = product.deps
  await pool.query('delete from sessions')
  await pool.query('delete from known_devices')
  const tomorrow = "now() + interval '1 day'"
  for (const [hash, lastUsedAt, expiresAt] of [
    ['current', 'now()', tomorrow],
    ['expired', 'now()', "now() - interval '1 second'"],
    ['unused', "now() - interval '8 days'", tomorrow],
  ])
    await pool.query(
      `insert into sessions (user_id, token_hash, last_used_at, expires_at) values ($1, $2, ${lastUsedAt}, ${expiresAt})`,
      [personId, hash],
    )
  for (const [key, blockedUntil] of [
    ['old', 'null'],
    ['blocked', tomorrow],
  ])
    await pool.query(
      `insert into sign_in_failures (key, failures, last_at, blocked_until) values ($1, 1, now() - interval '30 days', ${blockedUntil})`,
      [key],
    )
  for (const [hash, days] of [
    ['recent', 179],
    ['forgotten', 181],
  ])
    await pool.query(
      'insert into known_devices (user_id, device_hash, last_at) values ($1, $2, now() - make_interval(days => $3))',
      [personId, hash, days],
    )

  await runJob([signInRetentionJob(product.deps)], 'sign-in-retention')

  const readTexts = async (sql: string) =>
    (await pool.query<{ text: string }>(sql)).rows.map(({ text }) => text)
  expect(await readTexts(`select convert_from(token_hash, 'UTF8') as text from sessions`)).toEqual([
    'current',
  ])
  expect(await readTexts('select key as text from sign_in_failures')).toEqual(['blocked'])
  expect(await readTexts(`select convert_from(device_hash, 'UTF8') as text from known_devices`)).toEqual([
    'recent',
  ])
})
