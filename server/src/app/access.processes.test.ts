import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { users } from '@karvon/contract/users/users.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  callApi,
  createTestApp,
  signIn,
  signInAdmin,
  testKey,
  type Product,
  type Session,
} from '../../test/app.ts'
import { createSample } from '../../test/sample.ts'
import { buildApp } from '../app.ts'
import { recoverAccount } from '../domains/auth/account-recovery.ts'
import { openDeps, openLog } from '../deps.ts'

// Elapsed time does not prove a wait on a busy machine, so the test counts the sleeps.
const sleep = vi.spyOn(timers, 'setTimeout')
syncBuiltinESMExports()

let product: Product
let admin: Session
const person = { username: 'Шахноза', password: 'parol-шахнозы' }
let personId: number

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  personId = (await createSample(product.app, admin, users, { ...person, role_id: 2 })).id
})
afterAll(async () => {
  sleep.mockRestore()
  syncBuiltinESMExports()
  await product.close()
})
beforeEach(() => product.deps.db.deleteFrom('sign_in_failures').execute())

const me = (as: Session) => callApi(product.app, as, 'GET', '/parcel/auth/me')

describe('Token identity', () => {
  test('the token of an inactive account identifies nobody, even if its session exists', async () => {
    const { identities, pool } = product.deps
    const session = await signIn(product.app, person.username, person.password)
    await pool.query('update users set is_active = false where id = $1', [personId])
    expect(await identities.identify(session.token)).toBeNull()
    await pool.query('update users set is_active = true where id = $1', [personId])
    expect(await identities.identify(session.token)).not.toBeNull()
  })

  test('an identity is cached for a short lease, which a read does not extend', async () => {
    const { identities, pool } = product.deps
    const session = await signIn(product.app, person.username, person.password)
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      expect(await identities.identify(session.token)).not.toBeNull()
      await pool.query('delete from sessions where user_id = $1', [personId])
      vi.advanceTimersByTime(199)
      expect(await identities.identify(session.token)).not.toBeNull()
      vi.advanceTimersByTime(1)
      expect(await identities.identify(session.token)).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('Two processes', () => {
  let otherDeps: Awaited<ReturnType<typeof openDeps>>
  let otherApp: FastifyInstance

  beforeAll(async () => {
    const { config } = product.deps
    otherDeps = await openDeps(config, {
      url: product.databaseUrl,
      ring: { keys: [testKey] },
      log: openLog('silent'),
    })
    otherApp = await buildApp(otherDeps)
  })
  afterAll(async () => {
    await otherApp.close()
    await otherDeps.close()
  })
  const there = async (as: Session) => (await callApi(otherApp, as, 'GET', '/parcel/auth/me')).statusCode

  test('the deactivation of a person ends their sessions in the other process too', async () => {
    for (let round = 0; round < 5; round += 1) {
      const session = await signIn(product.app, person.username, person.password)
      expect(await there(session)).toBe(200)
      await callApi(product.app, admin, 'PUT', `/api/admin/users/${personId}/deactivate`)
      expect([await there(session), (await me(session)).statusCode]).toEqual([401, 401])
      await callApi(product.app, admin, 'PUT', `/api/admin/users/${personId}/activate`)
      expect([await there(session), (await me(session)).statusCode]).toEqual([401, 401])
    }
  })

  test.each([
    ['a sign-out', (as: Session) => callApi(product.app, as, 'POST', '/parcel/auth/logout')],
    [
      'signing out everywhere',
      (as: Session) =>
        callApi(product.app, as, 'DELETE', '/parcel/auth/sessions', { current_password: person.password }),
    ],
    [
      'a password that an admin gave',
      () => callApi(product.app, admin, 'PUT', `/api/admin/users/${personId}`, { password: person.password }),
    ],
    [
      'a reset from a shell',
      () => recoverAccount(product.deps, { username: person.username, password: person.password }),
    ],
  ])('%s takes effect in the other process at once', async (_name, end) => {
    const session = await signIn(product.app, person.username, person.password)
    expect(await there(session)).toBe(200)
    await end(session)
    expect(await there(session)).toBe(401)
  })

  test("a repeat of a finished change is answered only after the other process's leases have ended", async () => {
    const change = (app: FastifyInstance) =>
      app.inject({
        method: 'POST',
        url: `/api/admin/users/${personId}`,
        headers: { ...admin.headers, 'idempotency-key': 'the same change' },
        payload: { password: person.password },
      })
    expect((await change(product.app)).statusCode).toBe(200)
    expect(
      await hasWaited(async () =>
        expect((await change(otherApp)).headers['idempotency-replayed']).toBe('true'),
      ),
    ).toBe(true)
  })

  test('a change of identities is answered after every older lease has ended', async () => {
    const before = performance.now()
    expect(await hasWaited(() => product.deps.identities.invalidate())).toBe(true)
    expect(performance.now() - before).toBeGreaterThanOrEqual(200)
  })
})

describe('One process', () => {
  test('a change of identities waits only behind a pooler, or while all database connections are new', async () => {
    const { identities, pool, sessionPool } = product.deps
    const isBehindPooler = sessionPool !== pool
    await expect.poll(() => hasWaited(() => identities.invalidate())).toBe(isBehindPooler)
    const afterRestart = async () => {
      await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
      await expect(pool.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow(
        /terminat|Connection|server conn crashed/i,
      )
      return hasWaited(() => identities.invalidate())
    }
    // If connecting takes as long as a lease, no lease is left to wait for.
    await expect.poll(afterRestart).toBe(true)
  })
})

/** Whether the action waited for leases. */
async function hasWaited(work: () => Promise<unknown>): Promise<boolean> {
  sleep.mockClear()
  await work()
  return sleep.mock.calls.some(([ms]) => ms !== undefined && ms >= 200)
}
