import { createUser } from '../../test/people.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'

interface Line {
  msg: string
  level: number
  ms?: number
  statement?: string
}

const lines: Line[] = []
let product: Product
let admin: Session
const write = (line: string) => void lines.push(JSON.parse(line) as Line)

beforeAll(async () => {
  const env = { KARVON_LOG: 'info', KARVON_ACCESS_LOG: 'on', KARVON_SLOW_STATEMENT_MS: '200' }
  product = await createTestApp(env, {}, { write })
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

/** The lines that `work` adds. On a busy machine any statement may be slow, so of these only those that sleep count. */
async function linesOf(work: () => Promise<unknown>): Promise<Line[]> {
  const before = lines.length
  await work()
  return lines.slice(before).filter(({ statement = 'pg_sleep' }) => statement.includes('pg_sleep'))
}
const line = (method: string, route: string, status: number) => ({
  level: 30,
  time: expect.any(Number),
  pid: expect.any(Number),
  hostname: expect.any(String),
  reqId: expect.any(String),
  method,
  route,
  status,
  ms: expect.any(Number),
  msg: 'Request',
})

test('the access log has method, route, status and time of a request, and nothing else of it', async () => {
  const { app } = product
  expect(
    await linesOf(() => callApi(app, admin, 'GET', '/api/admin/leads/?search=Aziz&page=2')),
  ).toStrictEqual([line('GET', '/api/admin/leads', 200)])
  expect(
    await linesOf(() => callApi(app, null, 'POST', '/api/postback/secret-key?phone=998901234567', {})),
  ).toStrictEqual([line('POST', '/api/postback/:source_key', 404)])
  expect(await linesOf(() => callApi(app, null, 'GET', '/api/admin/users/17/'))).toStrictEqual([
    line('GET', '/api/admin/users/:id', 401),
  ])
  expect(await linesOf(() => callApi(app, null, 'GET', '/api/unknown/secret-token?name=Aziz'))).toStrictEqual(
    [line('GET', 'other', 404)],
  )
})

test('without the switches the log has neither requests nor statements', async () => {
  const logLines: string[] = []
  const otherProduct = await createTestApp(
    { KARVON_LOG: 'info' },
    {},
    { write: (text) => void logLines.push(text) },
  )
  await callApi(otherProduct.app, null, 'GET', '/healthz')
  await otherProduct.deps.pool.query('select pg_sleep(0.3)')
  await otherProduct.close()
  expect(logLines).toEqual([])
})

test('a repeated slow statement is logged once, without literals and parameters', async () => {
  const { pool } = product.deps
  const text = `select pg_sleep(0.25),\n  'Aziz''s secret' as name, $1::text`
  const logLines = await linesOf(async () => {
    await pool.query(text, ['998901234567'])
    await pool.query(text, ['998901234567'])
    await pool.query('select 1')
  })
  expect(logLines).toEqual([
    expect.objectContaining({
      level: 40,
      msg: 'Slow statement',
      statement: `select pg_sleep(0.25), '…' as name, $1::text`,
    }),
  ])
  expect(logLines[0]?.ms).toBeGreaterThanOrEqual(200)
  expect(JSON.stringify(logLines)).not.toMatch(/Aziz|99890/)
})

test('a slow statement is logged when it fails, and when it is built by the query builder in a transaction', async () => {
  const { db, pool } = product.deps
  const failureLines = await linesOf(() =>
    pool.query('select 1 / (pg_sleep(0.25)::text = $1)::int', ['x']).catch(() => {}),
  )
  expect(failureLines.map(({ msg }) => msg)).toEqual(['Slow statement'])
  await createUser(product.app, admin, 'somebody')
  const builderLines = await linesOf(() =>
    db.transaction().execute(async (trx) => {
      await trx
        .selectFrom('users')
        .select((eb) => eb.fn<string>('pg_sleep', [eb.val(0.25)]).as('slept'))
        .where('username', '=', 'somebody')
        .execute()
    }),
  )
  expect(builderLines).toEqual([
    expect.objectContaining({
      statement: expect.stringMatching(/^select pg_sleep\(\$1\) .*"username" = \$2$/),
    }),
  ])
})
