import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, TEST_TIMEZONE, type TestDatabase } from '../../../test/database.ts'
import { openPool } from './pool.ts'
import { withStatementTimeout } from './statement-timeout.ts'

let database: TestDatabase
let pool: pg.Pool

beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  pool = openPool(database.url, { timezone: TEST_TIMEZONE, max: 1 })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const timeout = async () => (await pool.query<object>('show statement_timeout')).rows[0]
const readTimeout = async () => Object.values((await timeout()) ?? {})[0]

test('a requested statement timeout applies only to its own connection', async () => {
  expect(await readTimeout()).toBe('30s')
  expect(await withStatementTimeout(5000, readTimeout)).toBe('5s')
  expect(await withStatementTimeout(10_000, readTimeout)).toBe('10s')
  expect(await Promise.all([readTimeout(), withStatementTimeout(5000, readTimeout), readTimeout()])).toEqual([
    '30s',
    '5s',
    '30s',
  ])
})

test('a statement over its timeout is ended, and the connection is reused', async () => {
  const asleep = withStatementTimeout(100, () => pool.query('select pg_sleep(5)'))
  await expect(asleep).rejects.toMatchObject({ code: '57014' })
  const client = await pool.connect()
  const { rows } = await client.query<{ statement_timeout: string }>('show statement_timeout')
  client.release()
  expect(rows[0]?.statement_timeout).toBe('30s')
})
