import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, createTestApp, firstAdmin, signIn, type Product, type Signed } from '../../../test/app.ts'
import { adminQuery } from '../../../test/database.ts'

let product: Product
let admin: Signed

beforeAll(async () => {
  product = await createTestApp()
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
})
afterAll(() => product.close())

test('while the database is away every call says 503 and when to come back, and the process lives', async () => {
  const name = new URL(product.databaseUrl.replace('@/', '@localhost/')).pathname.slice(1)
  expect((await ask(product.app, null, 'GET', '/readyz')).statusCode).toBe(200)
  await rename(name, `${name}_away`)
  const away = { detail: 'The database is away. Try again shortly.', code: 'unavailable' }
  for (const [method, url] of [
    ['GET', '/api/admin/offers'],
    ['POST', '/api/admin/offers'],
    ['GET', '/parcel/auth/me'],
  ] as const) {
    const answer = await ask(product.app, admin, method, url)
    expect([answer.statusCode, answer.json(), answer.headers['retry-after']]).toEqual([503, away, '2'])
  }
  const login = await ask(product.app, null, 'POST', '/parcel/auth/login', firstAdmin)
  expect(login.statusCode).toBe(503)
  expect((await ask(product.app, null, 'GET', '/readyz')).statusCode).toBe(503)
  expect((await ask(product.app, null, 'GET', '/healthz')).statusCode).toBe(200)
  expect((await ask(product.app, null, 'GET', '/api/app/settings')).statusCode).toBe(200)

  await rename(`${name}_away`, name)
  expect((await ask(product.app, admin, 'GET', '/api/admin/offers')).statusCode).toBe(200)
  expect((await ask(product.app, null, 'GET', '/readyz')).statusCode).toBe(200)
})

test('a failure of our own says nothing of our insides', async () => {
  await product.deps.pool.query('alter table offers rename column price to prise')
  const answer = await ask(product.app, admin, 'GET', '/api/admin/offers')
  expect(answer.statusCode).toBe(500)
  expect(answer.json()).toEqual({
    detail: `Something went wrong on the server (request ${String(answer.headers['x-request-id'])}).`,
    code: 'internal',
  })
})

/** Ends the database's connections and renames it before anybody is back. */
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
