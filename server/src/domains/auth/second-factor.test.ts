import { users } from '@karvon/contract/users/users.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  callApi,
  createTestApp,
  firstAdmin,
  signIn,
  signInAdmin,
  type Product,
  type Session,
} from '../../../test/app.ts'
import { createSample } from '../../../test/sample.ts'
import { Authenticator, turnOnSecondFactor } from '../../../test/second-factor.ts'
import { startSessionWithCode } from './auth.sign-in.ts'
import { getPersonById } from './auth.people.queries.ts'
import { recoverAccount } from './account-recovery.ts'

let product: Product
let admin: Session
let as: Session
let authenticator: Authenticator
let recovery: string[]
let userId: number
const person = { username: 'Malika', password: 'malika-password' }
const right = { current_password: person.password }
const wrong = { detail: 'The code is wrong or was already used.', code: 'second_factor_wrong' }
const refusal = { detail: 'Incorrect username or password.', code: 'wrong_credentials' }

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  userId = (await createSample(product.app, admin, users, { ...person, role_id: 2 })).id
})
afterAll(() => product.close())

// The clock is stopped, so that cached tokens do not expire.
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await product.deps.db.deleteFrom('sign_in_failures').execute()
  await callApi(product.app, admin, 'DELETE', `/api/admin/users/${userId}/second-factor/`)
  as = await signIn(product.app, person.username, person.password)
  ;({ authenticator, recovery } = await turnOnSecondFactor(product.app, as, person.password))
})

afterEach(() => vi.useRealTimers())

const login = (code?: string, password = person.password) =>
  callApi(product.app, null, 'POST', '/parcel/auth/login', { username: person.username, password, code })
const sendOwn = (step: string, body: object, by = as) =>
  callApi(product.app, by, 'POST', `/parcel/auth/second-factor/${step}`, body)
const me = (by: Session) => callApi(product.app, by, 'GET', '/parcel/auth/me')
const status = async () => {
  const { second_factor, recovery_codes_left } = (
    await callApi(product.app, as, 'GET', '/parcel/auth/profile')
  ).json<Record<string, unknown>>()
  return [second_factor, recovery_codes_left]
}
const signedBy = (answer: { json(): { access_token: string } }): Session => {
  const { access_token: token } = answer.json()
  return { token, headers: { authorization: `Bearer ${token}` } }
}
const later = () => authenticator.advanceTime(product.deps.pool)

describe('Sign-in with a second factor', () => {
  test('a sign-in asks for the code only after a correct password, and succeeds with the code', async () => {
    const answer = await login()
    expect([answer.statusCode, answer.json()]).toEqual([
      401,
      { detail: 'Send the code of your second factor as well.', code: 'second_factor_required' },
    ])
    expect((await login('')).json()).toHaveProperty('code', 'second_factor_required')
    for (const code of [undefined, '', '000000', authenticator.next(), recovery[0]])
      expect((await login(code, 'wrong')).json()).toEqual(refusal)
    await product.deps.db.deleteFrom('sign_in_failures').execute()
    await later()
    const let_in = await login(authenticator.next())
    expect(let_in.statusCode, let_in.body).toBe(200)
    expect((await me(signedBy(let_in))).json()).toMatchObject({ id: userId })
    for (const key of ['second_factor', 'recovery_codes_left', 'secret', 'code'])
      expect(let_in.json()).not.toHaveProperty(key)
  })

  test('a sign-in accepts a code once, with or without spaces, and no older code after it', async () => {
    await later()
    const [first, second] = [authenticator.next(), authenticator.next()]
    expect((await login(`\u200E${second.slice(0, 3)}\u00A0${second.slice(3)}\u200B`)).statusCode).toBe(200)
    for (const code of [second, first]) {
      const again = await login(code)
      expect([again.statusCode, again.json()]).toEqual([401, wrong])
    }
  })

  test('a sign-in accepts a recovery code once in any spelling, and logs it', async () => {
    const [first = '', second = ''] = recovery
    expect(first).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/)
    expect((await login(first.toLowerCase().replaceAll('-', ' '))).statusCode).toBe(200)
    expect((await login(first)).json()).toEqual(wrong)
    expect((await login(second.replaceAll('-', '\u2011'))).statusCode).toBe(200)
    expect(await status()).toEqual([true, 8])
    const { rows } = await product.deps.pool.query(
      `select old_values, new_values from audit_log where resource = 'profile' order by id desc limit 1`,
    )
    expect(rows).toEqual([{ old_values: { recovery_codes_left: 9 }, new_values: { recovery_codes_left: 8 } }])
  })

  test('one of twenty simultaneous sign-ins with one code succeeds', async () => {
    const { deps } = product
    await later()
    for (const code of [authenticator.next(), recovery[0] ?? '']) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => login(code)))
      expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1)
      await deps.db.deleteFrom('sign_in_failures').execute()
    }
    // The test calls this function directly, because the password check and the attempt limit would serialize the requests.
    const person = await getPersonById(deps.db, userId)
    const client = { address: '127.0.0.1', userAgent: undefined }
    for (let round = 0; round < 5; round += 1) {
      await later()
      for (const code of [authenticator.next(), recovery[round + 1] ?? '']) {
        const results = await Promise.allSettled(
          Array.from({ length: 20 }, () => startSessionWithCode(deps, { person, code, client })),
        )
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      }
    }
  })

  test("wrong codes are limited, although a right password clears the account's failures", async () => {
    for (let i = 0; i < 5; i += 1) expect((await login('000000')).json()).toEqual(wrong)
    const { rows } = await product.deps.pool.query(
      `select key, ceil(failures) as failures, blocked_until is not null as blocked from sign_in_failures order by key collate "C"`,
    )
    expect(rows).toEqual([
      { key: 'account:malika', failures: 5, blocked: false },
      { key: 'account:malika@127.0.0.1', failures: 5, blocked: true },
      { key: 'address:127.0.0.1', failures: 5, blocked: false },
      { key: `second-factor:${userId}`, failures: 5, blocked: true },
    ])
    await product.deps.pool.query(
      `update sign_in_failures set blocked_until = now() + interval '300 seconds'`,
    )
    expect((await login(recovery[0])).statusCode).toBe(429)
    await product.deps.pool.query(`delete from sign_in_failures where key not like 'second-factor:%'`)
    const change = { password: person.password, ...right }
    expect((await callApi(product.app, as, 'PUT', '/parcel/auth/profile', change)).statusCode).toBe(200)
    const answer = await login(recovery[0])
    expect([answer.statusCode, Number(answer.headers['retry-after'])]).toEqual([429, expect.closeTo(270, -2)])
    for (const step of ['off', 'recovery-codes', 'confirm'])
      expect((await sendOwn(step, { ...right, code: '000000' })).statusCode).toBe(429)
    await product.deps.pool.query('update sign_in_failures set blocked_until = now()')
    expect((await login(recovery[0])).statusCode).toBe(200)
    expect((await login('000000')).json()).toEqual(wrong)
  })

  test('a sign-in that lacks the code does not count as a failure', async () => {
    for (let i = 0; i < 12; i += 1)
      expect((await login()).json()).toHaveProperty('code', 'second_factor_required')
    const { rows } = await product.deps.pool.query('select key, failures from sign_in_failures order by key')
    expect(rows.map(({ failures }) => failures)).toEqual([0, 0, 0])
  })

  test('a sign-in of an inactive person gets the usual refusal, with any code', async () => {
    await callApi(product.app, admin, 'PUT', `/api/admin/users/${userId}/deactivate`)
    try {
      for (const code of [undefined, '000000', authenticator.next(), recovery[0]]) {
        const answer = await login(code)
        expect([answer.statusCode, answer.json()]).toEqual([401, refusal])
        await product.deps.db.deleteFrom('sign_in_failures').execute()
      }
    } finally {
      await callApi(product.app, admin, 'PUT', `/api/admin/users/${userId}/activate`)
    }
  })

  test('a sign-in without a second factor ignores a code', async () => {
    const { username, password } = firstAdmin
    for (const code of [undefined, '123456']) {
      const answer = await callApi(product.app, null, 'POST', '/parcel/auth/login', {
        username,
        password,
        code,
      })
      expect(answer.statusCode).toBe(200)
    }
  })
})

describe('Own second factor', () => {
  test('a second factor is on once a code of the app is confirmed, which ends the other sessions', async () => {
    await callApi(product.app, admin, 'DELETE', `/api/admin/users/${userId}/second-factor/`)
    const [first, second] = [
      await signIn(product.app, person.username, person.password),
      await signIn(product.app, person.username, person.password),
    ]
    as = first
    expect((await sendOwn('begin', { current_password: 'x' })).json()).toHaveProperty(
      'errors.0.field',
      'current_password',
    )
    expect((await sendOwn('begin', {})).statusCode).toBe(422)
    expect((await sendOwn('confirm', { code: '000000' })).json()).toHaveProperty('errors.0.field', 'code')
    const setup = (await sendOwn('begin', right)).json<{ secret: string; uri: string }>()
    expect(setup.uri).toContain(`secret=${setup.secret}&issuer=Karvon`)
    expect((await sendOwn('confirm', { code: '000000' })).statusCode).toBe(422)
    expect(await status()).toEqual([false, 0])
    expect((await login()).statusCode).toBe(200)
    expect([(await me(first)).statusCode, (await me(second)).statusCode]).toEqual([200, 200])
    ;({ authenticator, recovery } = await turnOnSecondFactor(product.app, first, person.password))
    expect([recovery.length, new Set(recovery).size]).toEqual([10, 10])
    expect([(await me(first)).statusCode, (await me(second)).statusCode]).toEqual([200, 401])
    expect(await status()).toEqual([true, 10])
    for (const step of ['begin', 'confirm']) {
      const answer = await sendOwn(step, { ...right, code: '000000' })
      expect([answer.statusCode, answer.json()]).toMatchObject([409, { code: 'second_factor_already_on' }])
    }
  })

  test('a second factor is turned off by password and code together, which ends the other sessions', async () => {
    const second = signedBy(await login(authenticator.next()))
    for (const body of [
      right,
      { code: recovery[0] },
      { current_password: 'x', code: recovery[0] },
      { ...right, code: '000000' },
    ])
      expect((await sendOwn('off', body)).statusCode).toBe(422)
    expect(await status()).toEqual([true, 10])
    expect((await me(second)).statusCode).toBe(200)
    const off = await sendOwn('off', { ...right, code: recovery[0] })
    expect(off.json()).toMatchObject({ second_factor: false, recovery_codes_left: 0 })
    expect([(await me(as)).statusCode, (await me(second)).statusCode]).toEqual([200, 401])
    expect((await login()).statusCode).toBe(200)
    expect((await sendOwn('off', { ...right, code: '000000' })).statusCode).toBe(409)
    const { rows } = await product.deps.pool.query(
      `select (select count(*) from second_factors) + (select count(*) from recovery_codes) as left`,
    )
    expect(rows).toEqual([{ left: 0 }])
  })

  test('new recovery codes replace the old ones', async () => {
    const answer = await sendOwn('recovery-codes', { ...right, code: authenticator.next() })
    const { recovery_codes: fresh } = answer.json<{ recovery_codes: string[] }>()
    expect([answer.statusCode, fresh.length]).toEqual([200, 10])
    expect((await login(recovery[0])).json()).toEqual(wrong)
    expect((await login(fresh[0])).statusCode).toBe(200)
    expect((await sendOwn('recovery-codes', { ...right, code: recovery[1] })).statusCode).toBe(422)
  })

  test('a sign-in by password alone gets no session while the second factor is turned on', async () => {
    for (let round = 0; round < 10; round += 1) {
      await callApi(product.app, admin, 'DELETE', `/api/admin/users/${userId}/second-factor/`)
      as = await signIn(product.app, person.username, person.password)
      const { secret } = (await sendOwn('begin', right)).json<{ secret: string }>()
      const app = new Authenticator(secret)
      const [, ...answers] = await Promise.all([
        sendOwn('confirm', { code: app.next() }),
        ...Array.from({ length: 4 }, () => login()),
      ])
      const sessions = answers.filter((answer) => answer.statusCode === 200).map(signedBy)
      for (const session of sessions) expect((await me(session)).statusCode).toBe(401)
      expect(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 401)).toBe(true)
      await product.deps.db.deleteFrom('sign_in_failures').execute()
    }
  })
})

describe('Second factor of another person', () => {
  const remove = (id = userId, by = admin) =>
    callApi(product.app, by, 'DELETE', `/api/admin/users/${id}/second-factor/`)

  test("the list of users shows who has a second factor, and an admin's removal ends the sessions", async () => {
    const answer = await callApi(product.app, admin, 'GET', '/api/admin/users/?second_factor=true')
    expect(answer.json()).toMatchObject({ items: [{ id: userId, second_factor: true }] })
    expect((await remove(userId, as)).statusCode).toBe(403)
    expect((await me(as)).statusCode).toBe(200)
    expect((await remove()).json()).toEqual({ removed: true })
    expect((await me(as)).statusCode).toBe(401)
    expect((await login()).statusCode).toBe(200)
    expect((await remove()).json()).toEqual({ removed: false })
    expect((await remove(999_999)).statusCode).toBe(404)
    const { rows } = await product.deps.pool.query(
      `select user_id, new_values from audit_log where resource = 'users' and row_id = $1 order by id desc limit 1`,
      [userId],
    )
    expect(rows).toEqual([{ user_id: 1, new_values: { second_factor: false } }])
  })

  test('a second factor stays after a reset password, and the operator can remove it', async () => {
    const password = 'malika-password'
    await recoverAccount(product.deps, { username: ` ${person.username.toUpperCase()}`, password })
    expect((await login()).json()).toHaveProperty('code', 'second_factor_required')
    for (let i = 0; i < 6; i += 1) await login('000000')
    await recoverAccount(product.deps, { username: person.username, password, secondFactorOff: true })
    expect((await login()).statusCode).toBe(200)
  })
})
