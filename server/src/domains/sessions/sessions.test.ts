import { maxSessions } from '@karvon/contract/lib/limits.ts'
import type { ActiveSession } from '@karvon/contract/sessions/sessions.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  callApi,
  createTestApp,
  firstAdmin,
  signIn,
  signInAdmin,
  testKey,
  type Product,
  type Session,
} from '../../../test/app.ts'
import { readCsv } from '../../../test/exports.ts'
import { createUser } from '../../../test/people.ts'
import { buildApp } from '../../app.ts'
import { openDeps, openLog } from '../../deps.ts'

let product: Product
let admin: Session
let buyer: Session
let buyerId: number

beforeAll(async () => {
  product = await createTestApp({ KARVON_TRUST_PROXY: '127.0.0.1' })
  admin = await signInAdmin(product.app)
  buyer = await createUser(product.app, admin, 'zulfiya')
  buyerId = (await me(buyer)).json<{ id: number }>().id
})
afterAll(() => product.close())

// The clock is stopped, so that cached tokens do not expire.
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await product.deps.db.deleteFrom('sessions').execute()
  await product.deps.identities.invalidate()
  admin = await signInAdmin(product.app)
  buyer = await signIn(product.app, 'zulfiya', 'zulfiya-password')
})

afterEach(() => vi.useRealTimers())

const me = (by: Session, app = product.app) => callApi(app, by, 'GET', '/parcel/auth/me')
const list = async (query = '') => {
  const answer = await callApi(product.app, admin, 'GET', `/api/admin/sessions/?${query}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ items: ActiveSession[]; meta: Record<string, number> }>()
}
const end = (url: string) => callApi(product.app, admin, 'DELETE', url)
const lastAudit = async () =>
  (
    await product.deps.pool.query(
      `select user_id, action, row_id, old_values from audit_log where resource = 'sessions' order by id desc limit 1`,
    )
  ).rows[0]

describe('List of sessions', () => {
  test('the address of a session is cut if a proxy passes on another text', async () => {
    await product.app.inject({
      method: 'POST',
      url: '/parcel/auth/login',
      headers: { 'x-forwarded-for': 'a'.repeat(5000) },
      payload: { username: 'zulfiya', password: 'zulfiya-password' },
    })
    expect((await list('sort=-id')).items[0]?.address).toBe('a'.repeat(64))
  })

  test("the list of sessions shows who is signed in, from where, and the caller's own session", async () => {
    const { items, meta } = await list()
    expect(items.map(({ username, current }) => [username, current])).toEqual([
      ['zulfiya', false],
      [firstAdmin.username, true],
    ])
    expect(items[0]).toMatchObject({
      user_id: buyerId,
      user: { id: buyerId, name: 'zulfiya' },
      address: '127.0.0.1',
    })
    expect(Object.keys(items[0] ?? {})).not.toContain('token_hash')
    expect([meta['total'], meta['filtered_total']]).toEqual([2, 2])
  })

  test('a sign-in beyond the limit of sessions of a person ends the one that was used longest ago', async () => {
    const { pool } = product.deps
    // The person has one session.
    await pool.query(
      `insert into sessions (user_id, token_hash, address, user_agent, last_used_at, expires_at)
       select $1, sha256(n::text::bytea), '10.0.0.1', n, now() - n * interval '1 minute', now() + interval '1 day'
       from generate_series(1, $2::integer - 1) n`,
      [buyerId, maxSessions],
    )
    buyer = await signIn(product.app, 'zulfiya', 'zulfiya-password')
    const { rows } = await pool.query(
      `select count(*)::integer as count, max(user_agent::integer) filter (where address = '10.0.0.1') as oldest
       from sessions where user_id = $1`,
      [buyerId],
    )
    expect(rows).toEqual([{ count: maxSessions, oldest: maxSessions - 2 }])
    expect((await me(buyer)).statusCode).toBe(200)
  })

  test('the list of sessions leaves out expired ones', async () => {
    for (const over of ['expires_at = now()', "last_used_at = now() - interval '7 days 1 minute'"]) {
      await signIn(product.app, 'zulfiya', 'zulfiya-password')
      await product.deps.pool.query(`update sessions set ${over} where id = (select max(id) from sessions)`)
      const { items, meta } = await list()
      expect([items.length, meta['total']]).toEqual([2, 2])
    }
  })

  test('the list of sessions is searched, filtered, sorted, paged in either style, and exported', async () => {
    await product.deps.pool.query(
      `insert into sessions (user_id, token_hash, address, user_agent, created_at, last_used_at, expires_at)
       select $1, sha256(n::text::bytea), '10.0.0.' || n, 'Firefox ' || n, now() - n * interval '1 hour',
         now() - n * interval '1 minute', now() + n * interval '1 day' from generate_series(1, 5) n`,
      [buyerId],
    )
    const findAddresses = async (query: string) =>
      (await list(query)).items.map(({ address }) => address?.split('.').at(-1))
    expect(await findAddresses(`user_id=${buyerId}`)).toEqual(['1', '1', '2', '3', '4', '5'])
    expect(await findAddresses('address=10.0.0.3')).toEqual(['3'])
    for (const [search, count] of [
      ['FIREFOX 4', 1],
      ['zulf', 6],
      ['10.0.0.', 5],
      ['%', 0],
    ] as const)
      expect((await list(`search=${encodeURIComponent(search)}`)).meta).toMatchObject({
        total: 7,
        filtered_total: count,
      })
    const five = ['1', '2', '3', '4', '5']
    expect(await findAddresses('search=firefox&sort=-created_at')).toEqual(five)
    expect(await findAddresses('search=firefox&sort=expires_at')).toEqual(five)
    expect(await findAddresses('search=firefox&sort=last_used_at')).toEqual(five.toReversed())
    expect(await findAddresses('search=firefox&sort=-address')).toEqual(five.toReversed())
    expect(await findAddresses('search=firefox&sort=id&per_page=2&page=2')).toEqual(['3', '4'])
    expect(await findAddresses('search=firefox&sort=id&limit=2&skip=3')).toEqual(['4', '5'])
    expect(await findAddresses('page=9')).toEqual([])
    for (const bad of ['sort=token_hash', 'user_id=x', 'per_page=201'])
      expect((await callApi(product.app, admin, 'GET', `/api/admin/sessions/?${bad}`)).statusCode).toBe(422)
    const { heading, rows } = await readCsv(product.app, admin, '/api/admin/sessions/?search=firefox&sort=id')
    expect(rows.map((row) => row[heading.indexOf('user_agent')])).toEqual(five.map((n) => `Firefox ${n}`))
  })
})

describe('Ending of sessions', () => {
  test('an admin ends one session, at once', async () => {
    const second = await signIn(product.app, 'zulfiya', 'zulfiya-password')
    const [, first] = (await list(`user_id=${buyerId}&sort=-id`)).items
    expect((await me(buyer)).statusCode).toBe(200)
    expect((await end(`/api/admin/sessions/${first?.id}/`)).json()).toEqual({ id: first?.id })
    expect((await me(buyer)).statusCode).toBe(401)
    expect((await me(second)).statusCode).toBe(200)
    expect(await lastAudit()).toMatchObject({
      user_id: 1,
      action: 'delete',
      row_id: first?.id,
      old_values: { user_id: buyerId, username: 'zulfiya', address: '127.0.0.1' },
    })
    expect((await end(`/api/admin/sessions/${first?.id}`)).statusCode).toBe(404)
  })

  test('an ended session is over in every other process too', async () => {
    vi.useRealTimers()
    const { config } = product.deps
    const otherDeps = await openDeps(config, {
      url: product.databaseUrl,
      ring: { keys: [testKey] },
      log: openLog('silent'),
    })
    const otherApp = await buildApp(otherDeps)
    try {
      const [session] = (await list(`user_id=${buyerId}`)).items
      expect((await me(buyer, otherApp)).statusCode).toBe(200)
      expect((await end(`/api/admin/sessions/${session?.id}`)).statusCode).toBe(200)
      expect((await me(buyer, otherApp)).statusCode).toBe(401)
      buyer = await signIn(product.app, 'zulfiya', 'zulfiya-password')
      expect((await me(buyer, otherApp)).statusCode).toBe(200)
      expect((await end(`/api/admin/users/${buyerId}/sessions`)).json()).toEqual({ ended: 1 })
      expect((await me(buyer, otherApp)).statusCode).toBe(401)
    } finally {
      await otherApp.close()
      await otherDeps.close()
    }
  })

  test('an admin ends all sessions of a person, and no other', async () => {
    const second = await signIn(product.app, 'zulfiya', 'zulfiya-password')
    for (const session of [buyer, second]) expect((await me(session)).statusCode).toBe(200)
    expect((await end(`/api/admin/users/${buyerId}/sessions/`)).json()).toEqual({ ended: 2 })
    for (const session of [buyer, second]) expect((await me(session)).statusCode).toBe(401)
    expect((await me(admin)).statusCode).toBe(200)
    const expected = {
      action: 'delete',
      row_id: null,
      old_values: { user_id: buyerId, username: 'zulfiya', sessions: 2 },
    }
    expect(await lastAudit()).toMatchObject(expected)
    expect((await end(`/api/admin/users/${buyerId}/sessions/`)).json()).toEqual({ ended: 0 })
    expect((await end('/api/admin/users/999999/sessions/')).statusCode).toBe(404)
  })

  test('the list and the end of sessions are refused to a regular person with 403', async () => {
    for (const [method, url] of [
      ['GET', '/api/admin/sessions/'],
      ['DELETE', '/api/admin/sessions/1/'],
      ['DELETE', `/api/admin/users/${buyerId}/sessions/`],
    ] as const)
      expect((await callApi(product.app, buyer, method, url)).statusCode).toBe(403)
  })
})
