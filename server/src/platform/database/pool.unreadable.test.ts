import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, TEST_TIMEZONE, type TestDatabase } from '../../../test/database.ts'
import { openPool } from './pool.ts'
import { MessageTooLargeError } from './pool.wire.ts'

let database: TestDatabase
let pool: pg.Pool

beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  pool = openPool(database.url, { timezone: TEST_TIMEZONE, max: 2, maxRowBytes: 1_000_000 })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

test('a row over the size limit fails its statement, and the next one works', async () => {
  await expect(pool.query(`select repeat('x', 1000100)`)).rejects.toThrow(MessageTooLargeError)
  const { rows } = await pool.query<{ size: number }>(`select length(repeat('x', 900000)) as size`)
  expect(rows).toEqual([{ size: 900_000 }])
})

test('many rows whose sum is over the size limit are read', async () => {
  const { rows } = await pool.query(`select repeat('x', 10000) as x from generate_series(1, 500)`)
  expect(rows).toHaveLength(500)
})

test('an exception of the driver fails its statement, and the next one works', async () => {
  const client = await pool.connect()
  const { connection } = client as unknown as { connection: { prependListener: typeof process.on } }
  connection.prependListener('dataRow' as 'exit', () => {
    throw new RangeError('Cannot create a string longer than 0x1fffffe8 characters')
  })
  await expect(client.query('select 1')).rejects.toThrow('Cannot create a string')
  client.release()
  expect((await pool.query('select 2 as two')).rows).toEqual([{ two: 2 }])
})
