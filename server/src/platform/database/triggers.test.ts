import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, TEST_TIMEZONE, type TestDatabase } from '../../../test/database.ts'
import { openPool } from './pool.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

// PostgreSQL keeps the plan of a session's first change. If that was a change of one row, such a join takes quadratic time for a batch.
test('no trigger joins its transition tables', async () => {
  const pool = openPool(database.url, { timezone: TEST_TIMEZONE, max: 1 })
  const { rows } = await pool.query<{ name: string; joins: boolean }>(
    String.raw`select proname as name, prosrc ~ '\m(added|removed)\M[^;]*\mjoin (added|removed)\M' as joins
      from pg_proc where prorettype = 'trigger'::regtype and prosrc ~ '\m(added|removed)\M'`,
  )
  await pool.end()
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter(({ joins }) => joins)).toEqual([])
})
