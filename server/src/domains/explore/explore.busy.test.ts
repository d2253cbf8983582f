import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createUser } from '../../../test/people.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  // The test counts the waiting questions on the primary.
  product = await createTestApp({ KARVON_DATABASE_READ_URL: '' })
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

test('questions that take long leave connections of the database to other requests', async () => {
  const { app, deps } = product
  const people = await Promise.all(['a1', 'a2', 'a3'].map((name) => createUser(app, admin, name)))
  const client = await deps.sessionPool.connect()
  await client.query('begin')
  await client.query('lock table leads, lead_segments in access exclusive mode')
  const questions = people.flatMap((as) =>
    Array.from({ length: 4 }, () => callApi(app, as, 'GET', '/api/user/explore?rows=hour')),
  )
  const countWaiting = async () => {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from pg_locks
       where not granted and relation in ('leads'::regclass, 'lead_segments'::regclass)
         and database = (select oid from pg_database where datname = current_database())`,
    )
    return rows[0]?.n
  }
  try {
    await expect.poll(countWaiting).toBe(3)
    const otherCalls = Array.from({ length: 4 }, () => callApi(app, admin, 'GET', '/api/admin/roles/'))
    expect((await Promise.all(otherCalls)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect(await countWaiting()).toBe(3)
  } finally {
    await client.query('rollback')
    client.release()
  }
  // A question that waited for its turn is answered too.
  expect((await Promise.all(questions)).map(({ statusCode }) => statusCode)).toEqual(Array(12).fill(200))
})
