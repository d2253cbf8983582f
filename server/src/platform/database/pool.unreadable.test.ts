import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, TEST_TIMEZONE, type TestDatabase } from '../../../test/database.ts'
import { openPool } from './pool.ts'
import { MessageTooLarge } from './pool.wire.ts'

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

test('fails the statement whose row is larger than the bound, and answers the next one', async () => {
  await expect(pool.query(`select repeat('x', 1000100)`)).rejects.toThrow(MessageTooLarge)
  const { rows } = await pool.query<{ size: number }>(`select length(repeat('x', 900000)) as size`)
  expect(rows).toEqual([{ size: 900_000 }])
})

test('reads many rows whose sum is larger than the bound', async () => {
  const { rows } = await pool.query(`select repeat('x', 10000) as x from generate_series(1, 500)`)
  expect(rows).toHaveLength(500)
})

test('fails the statement when the driver throws while it reads the answer', async () => {
  const client = await pool.connect()
  const { connection } = client as unknown as { connection: { prependListener: typeof process.on } }
  connection.prependListener('dataRow' as 'exit', () => {
    throw new RangeError('Cannot create a string longer than 0x1fffffe8 characters')
  })
  await expect(client.query('select 1')).rejects.toThrow('Cannot create a string')
  client.release()
  expect((await pool.query('select 2 as two')).rows).toEqual([{ two: 2 }])
})
