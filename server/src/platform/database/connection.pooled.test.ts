import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { openDb, openPool } from './pool.ts'
import { withStatementTimeout } from './statement-timeout.ts'

// The pool is connected to PostgreSQL itself. connection.pgbouncer.full.test.ts has a pooler between them.
let database: TestDatabase
let pool: pg.Pool

beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  pool = openPool(database.url, {
    timezone: 'Pacific/Chatham',
    max: 1,
    statementTimeout: 1234,
    isBehindPooler: true,
  })
  await pool.query('create table numbers (n int primary key)')
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const settings = `(timestamptz '2026-11-20 11:00Z')::date as day, current_setting('statement_timeout') as timeout,
  current_setting('jit') as jit`
const expected = { day: '2026-11-21', timeout: '1234ms', jit: 'off' }

test('a statement through a pooler has the settings, with and without parameters, alone and in a transaction', async () => {
  expect((await pool.query(`select ${settings}`)).rows).toEqual([expected])
  expect((await pool.query(`select ${settings}, $1::int as n`, [7])).rows).toEqual([{ ...expected, n: 7 }])
  const rows = await openDb(pool)
    .transaction()
    .execute(async (trx) => [
      (await sql`select ${sql.raw(settings)}`.execute(trx)).rows,
      (await sql`select ${sql.raw(settings)}, ${7}::int as n`.execute(trx)).rows,
    ])
  expect(rows).toEqual([[expected], [{ ...expected, n: 7 }]])
})

test('a parameter of a statement through a pooler is read with the settings', async () => {
  const { rows } = await pool.query('select $1::timestamptz = $2::timestamptz as same', [
    '2026-11-21 00:45',
    '2026-11-20T11:00:00Z',
  ])
  expect(rows).toEqual([{ same: true }])
})

test('the session behind a pooler keeps none of the settings', async () => {
  const client = await pool.connect()
  try {
    // The settings travel with the first transaction. The second one has those of the session.
    await client.query('begin; commit; begin')
    const [before] = (await client.query(`select current_setting('TimeZone') as zone`)).rows
    await client.query('commit')
    expect(before).not.toEqual({ zone: 'Pacific/Chatham' })
  } finally {
    client.release()
  }
})

test('a statement through a pooler answers its own results, rows and count', async () => {
  expect(await pool.query('insert into numbers values (1), (2)')).toMatchObject({
    command: 'INSERT',
    rowCount: 2,
  })
  expect(await pool.query('insert into numbers values ($1)', [3])).toMatchObject({
    command: 'INSERT',
    rowCount: 1,
  })
  const results: unknown = await pool.query('select 1 as one; delete from numbers; select 2 as two')
  expect(results).toMatchObject([{ rows: [{ one: 1 }] }, { rowCount: 3 }, { rows: [{ two: 2 }] }])
})

test('a statement with a name is prepared anew each time behind a pooler', async () => {
  for (const n of [1, 2])
    expect((await pool.query({ name: 'twice', text: 'select $1::int as n', values: [n] })).rows).toEqual([
      { n },
    ])
  expect((await pool.query('select from pg_prepared_statements')).rowCount).toBe(0)
})

test('a failed statement of several changes through a pooler is rolled back as a whole, and the connection still works', async () => {
  await expect(pool.query('insert into numbers values (9); select 1 / 0')).rejects.toMatchObject({
    code: '22012',
  })
  await expect(pool.query('select 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' })
  expect((await pool.query('select n from numbers where n = $1', [9])).rows).toEqual([])
  const failedTransaction = openDb(pool)
    .transaction()
    .execute(async (trx) => {
      await sql`insert into numbers values (9)`.execute(trx)
      await sql`select 1 / 0`.execute(trx)
    })
  await expect(failedTransaction).rejects.toMatchObject({ code: '22012' })
  expect((await pool.query('select n from numbers')).rows).toEqual([])
})

test('the statement timeout of a caller applies only to the statements of this caller', async () => {
  const slow = 'select pg_sleep(0.5)'
  await withStatementTimeout(50, () => expect(pool.query(slow)).rejects.toMatchObject({ code: '57014' }))
  expect((await pool.query(slow)).rowCount).toBe(1)
  await withStatementTimeout(50, async () => {
    const work = openDb(pool)
      .transaction()
      .execute((trx) => sql`select pg_sleep(0.5)`.execute(trx))
    await expect(work).rejects.toMatchObject({ code: '57014' })
  })
})

test('a cursor through a pooler reads in a transaction that has settings of its own', async () => {
  const client = await pool.connect()
  try {
    await client.query('begin read only; set local statement_timeout = 4321; set local work_mem = 65536')
    await client.query(
      'declare numbers_cursor no scroll cursor for select generate_series(1, $1::int) as n',
      [3],
    )
    expect((await client.query('fetch 2 from numbers_cursor')).rows).toEqual([{ n: 1 }, { n: 2 }])
    const text = `select current_setting('TimeZone') as zone, current_setting('statement_timeout') as timeout`
    expect((await client.query(text)).rows).toEqual([{ zone: 'Pacific/Chatham', timeout: '4321ms' }])
    await client.query('commit')
  } finally {
    client.release()
  }
})
