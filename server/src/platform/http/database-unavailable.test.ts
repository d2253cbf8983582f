import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  callApi,
  createTestApp,
  firstAdmin,
  signInAdmin,
  type Product,
  type Session,
} from '../../../test/app.ts'
import { adminQuery } from '../../../test/database.ts'
import { sendFile } from '../../../test/files.ts'
import { createRow } from '../../../test/people.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

const getDatabaseName = () => new URL(product.databaseUrl.replace('@/', '@localhost/')).pathname.slice(1)

test('every call answers 503 with Retry-After while the database is away, and works again afterwards', async () => {
  const name = getDatabaseName()
  await expect.poll(async () => (await callApi(product.app, null, 'GET', '/readyz')).statusCode).toBe(200)
  await rename(name, `${name}_away`)
  const away = { detail: 'The database is away. Try again shortly.', code: 'database_away' }
  for (const [method, url] of [
    ['GET', '/api/admin/offers'],
    ['POST', '/api/admin/offers'],
    ['GET', '/parcel/auth/me'],
  ] as const) {
    const answer = await callApi(product.app, admin, method, url)
    expect([answer.statusCode, answer.json(), answer.headers['retry-after']]).toEqual([503, away, '2'])
  }
  const login = await callApi(product.app, null, 'POST', '/parcel/auth/login', firstAdmin)
  expect(login.statusCode).toBe(503)
  expect((await callApi(product.app, null, 'GET', '/readyz')).statusCode).toBe(503)
  expect((await callApi(product.app, null, 'GET', '/healthz')).statusCode).toBe(200)
  expect((await callApi(product.app, null, 'GET', '/api/app/settings')).statusCode).toBe(200)

  await rename(`${name}_away`, name)
  // A pooler tries to connect again after a second.
  await expect
    .poll(async () => (await callApi(product.app, admin, 'GET', '/api/admin/offers')).statusCode)
    .toBe(200)
  await expect.poll(async () => (await callApi(product.app, null, 'GET', '/readyz')).statusCode).toBe(200)
})

test('an import that the loss of the database interrupted can be repeated without the end of its lease', async () => {
  const network = { name: 'Network', url: 'https://network.example' }
  const source = await createRow(product.app, admin, '/api/admin/cpa-sources/', network)
  const file = { name: 'leads.csv', content: 'external_id,created_at,status,payout\nonce,2026-11-20,sold,10' }
  const importLeads = () =>
    sendFile(
      product.app,
      admin,
      '/api/admin/leads/import/',
      file,
      { source_id: String(source) },
      { 'idempotency-key': 'a' },
    )
  const blocker = await product.deps.pool.connect()
  await blocker.query('begin; lock table leads in access exclusive mode')
  const interrupted = importLeads()
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event = 'relation'`
  await expect.poll(async () => (await product.deps.pool.query(waiting)).rowCount).toBeGreaterThan(0)
  const name = getDatabaseName()
  await rename(name, `${name}_away`)
  blocker.release(true)
  expect((await interrupted).statusCode).toBe(503)
  await rename(`${name}_away`, name)
  // The lease is 30 s.
  await expect.poll(async () => (await importLeads()).statusCode).toBe(200)
})

test('an internal error answers 500 without internal details', async () => {
  await product.deps.pool.query('alter table offers rename column price to prise')
  const answer = await callApi(product.app, admin, 'GET', '/api/admin/offers')
  expect(answer.statusCode).toBe(500)
  expect(answer.json()).toEqual({
    detail: `Something went wrong on the server (request ${String(answer.headers['x-request-id'])}).`,
    code: 'internal',
    params: { request: answer.headers['x-request-id'] },
  })
})

/** Ends the database's connections and renames it before a client reconnects. */
async function rename(from: string, to: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await adminQuery(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${from}'`)
      await adminQuery(`alter database ${from} rename to ${to}`)
      return
    } catch (error) {
      if (tries === 10) throw error
    }
  }
}
