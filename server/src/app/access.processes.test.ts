import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { users } from '@karvon/contract/users/users.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ask, createTestApp, firstAdmin, signIn, testKey, type Product, type Signed } from '../../test/app.ts'
import { createSample } from '../../test/sample.ts'
import { buildApp } from '../app.ts'
import { recoverAccount } from '../domains/auth/account-recovery.ts'
import { openDeps, openLog } from '../deps.ts'

// How long a change takes tells on a busy machine nothing of whether it waited: the sleeps themselves are counted.
const sleep = vi.spyOn(timers, 'setTimeout')
syncBuiltinESMExports()

let product: Product
let admin: Signed
const person = { username: 'Шахноза', password: 'parol-шахнозы' }
let personId: number

beforeAll(async () => {
  product = await createTestApp()
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
  personId = (await createSample(product.app, admin, users, { ...person, role_id: 2 })).id
})
afterAll(async () => {
  sleep.mockRestore()
  syncBuiltinESMExports()
  await product.close()
})
beforeEach(() => product.deps.db.deleteFrom('sign_in_failures').execute())

const me = (as: Signed) => ask(product.app, as, 'GET', '/parcel/auth/me')

describe('who a token stands for', () => {
  test('is nobody whose account is inactive, though the session is there', async () => {
    const { identities, pool } = product.deps
    const one = await signIn(product.app, person.username, person.password)
    await pool.query('update users set is_active = false where id = $1', [personId])
    expect(await identities.identify(one.token)).toBeNull()
    await pool.query('update users set is_active = true where id = $1', [personId])
    expect(await identities.identify(one.token)).not.toBeNull()
  })

  test('is remembered for a short lease, which no answer makes longer', async () => {
    const { identities, pool } = product.deps
    const one = await signIn(product.app, person.username, person.password)
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      expect(await identities.identify(one.token)).not.toBeNull()
      await pool.query('delete from sessions where user_id = $1', [personId])
      vi.advanceTimersByTime(199)
      expect(await identities.identify(one.token)).not.toBeNull()
      vi.advanceTimersByTime(1)
      expect(await identities.identify(one.token)).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('with a second process', () => {
  let other: Awaited<ReturnType<typeof openDeps>>
  let otherApp: FastifyInstance

  beforeAll(async () => {
    const { config } = product.deps
    other = await openDeps(config, product.databaseUrl, { keys: [testKey] }, openLog('silent'))
    otherApp = await buildApp(other)
  })
  afterAll(async () => {
    await otherApp.close()
    await other.close()
  })
  const there = async (as: Signed) => (await ask(otherApp, as, 'GET', '/parcel/auth/me')).statusCode

  test('a session has ended there too once its owner is deactivated', async () => {
    for (let round = 0; round < 5; round += 1) {
      const one = await signIn(product.app, person.username, person.password)
      expect(await there(one)).toBe(200)
      await ask(product.app, admin, 'PUT', `/api/admin/users/${personId}/deactivate`)
      expect([await there(one), (await me(one)).statusCode]).toEqual([401, 401])
      await ask(product.app, admin, 'PUT', `/api/admin/users/${personId}/activate`)
      expect([await there(one), (await me(one)).statusCode]).toEqual([401, 401])
    }
  })

  test.each([
    ['a sign-out', (as: Signed) => ask(product.app, as, 'POST', '/parcel/auth/logout')],
    [
      'signing out everywhere',
      (as: Signed) =>
        ask(product.app, as, 'DELETE', '/parcel/auth/sessions', { current_password: person.password }),
    ],
    [
      'a password that an admin gave',
      () => ask(product.app, admin, 'PUT', `/api/admin/users/${personId}`, { password: person.password }),
    ],
    ['a reset from a shell', () => recoverAccount(product.deps.db, person.username, person.password)],
  ])('%s counts there at once', async (_name, end) => {
    const one = await signIn(product.app, person.username, person.password)
    expect(await there(one)).toBe(200)
    await end(one)
    expect(await there(one)).toBe(401)
  })

  test('what was done already is not said to be done any earlier', async () => {
    const change = (app: FastifyInstance) =>
      app.inject({
        method: 'POST',
        url: `/api/admin/users/${personId}`,
        headers: { ...admin.headers, 'idempotency-key': 'the same change' },
        payload: { password: person.password },
      })
    expect((await change(product.app)).statusCode).toBe(200)
    expect(
      await waited(async () => expect((await change(otherApp)).headers['idempotency-replayed']).toBe('true')),
    ).toBe(true)
  })

  test('a change is answered when no lease of before is left', async () => {
    const before = performance.now()
    expect(await waited(() => product.deps.identities.invalidate())).toBe(true)
    expect(performance.now() - before).toBeGreaterThanOrEqual(200)
  })
})

describe('without another process', () => {
  test('a change waits for nobody, unless all connections are new', { timeout: 120_000 }, async () => {
    const { identities, pool } = product.deps
    await expect.poll(() => waited(() => identities.invalidate()), { timeout: 30_000 }).toBe(false)
    const afterRestart = async () => {
      await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
      await expect(pool.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow(
        /terminat|Connection/i,
      )
      return waited(() => identities.invalidate())
    }
    // Where connecting alone takes as long as a lease there is nothing left to wait for.
    await expect.poll(afterRestart, { timeout: 60_000 }).toBe(true)
  })
})

/** Whether leases were waited for meanwhile. */
async function waited(work: () => Promise<unknown>): Promise<boolean> {
  sleep.mockClear()
  await work()
  return sleep.mock.calls.some(([ms]) => ms !== undefined && ms >= 200)
}
