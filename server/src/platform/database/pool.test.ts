import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type pg from 'pg'
import { createTestDatabase } from '../../../test/database.ts'
import type { TestDatabase } from '../../../test/database.ts'
import { openDb, openPool } from './pool.ts'
import { toIsoTime } from './pool.parsers.ts'

let database: TestDatabase
let pool: pg.Pool

beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool(database.url, { timezone: 'Asia/Tashkent', max: 3, applicationName: 'karvon test' })
})

afterAll(async () => {
  await pool.end()
  await database.drop()
})

async function readValue(sql: string, on = pool): Promise<unknown> {
  const { rows } = await on.query<{ value: unknown }>(`select ${sql} as value`)
  return rows[0]?.value
}

describe('Columns', () => {
  test.each([
    ['42::int8', 42],
    ['9007199254740991::int8', 9_007_199_254_740_991],
    ['1234567890123.45::numeric(15, 2)', 1_234_567_890_123.45],
    ['0.10::numeric(15, 2)', 0.1],
    [`date '2026-11-21'`, '2026-11-21'],
    [`timestamptz '2026-11-21 09:42:00.123+05'`, '2026-11-21T09:42:00.123+05:00'],
    [`timestamptz '2026-11-21 00:00:00Z'`, '2026-11-21T05:00:00+05:00'],
    // Tashkent's local mean time was +04:37:11, which ISO 8601 cannot express.
    [`timestamptz '1900-01-01 00:00:00.25Z'`, '1900-01-01T00:00:00.25Z'],
    [`timestamptz 'infinity'`, 'infinity'],
    ['array[1, null, 3]::int8[]', [1, null, 3]],
    ['array[]::numeric[]', []],
    [`array[timestamptz '2026-11-21 09:42:00+05', null]`, ['2026-11-21T09:42:00+05:00', null]],
    [`array[date '2026-11-21']`, ['2026-11-21']],
    [`jsonb_build_object('at', timestamptz '2026-11-21 09:42:00+05')`, { at: '2026-11-21T09:42:00+05:00' }],
  ])('%s is read as its declared type', async (sql, expected) => {
    expect(await readValue(sql)).toEqual(expected)
  })

  test('an int8 beyond exact numbers rejects the query, and the pool still works', async () => {
    await expect(readValue('9007199254740993::int8')).rejects.toThrow('too large for a number')
    expect(await readValue('1::int8')).toBe(1)
  })

  test.each([
    ['2026-11-21 09:42:00.5+05:30', '2026-11-21T09:42:00.5+05:30'],
    ['2026-11-21 09:42:00-03:30', '2026-11-21T09:42:00-03:30'],
    ['1890-05-01 12:00:00-00:17:30', '1890-05-01T12:17:30Z'],
    ['0044-03-15 10:00:00+05 BC', '0044-03-15 10:00:00+05 BC'],
  ])('the time %s of the database is read as %s', (text, expected) => {
    expect(toIsoTime(text)).toBe(expected)
  })
})

describe('Database sessions', () => {
  test('a database session has the time zone of the installation', async () => {
    expect(await readValue(`current_setting('TimeZone')`)).toBe('Asia/Tashkent')
    expect(await readValue(`(timestamptz '2026-11-20 20:00:00Z')::date`)).toBe('2026-11-21')
    const otherPool = openPool(database.url, { timezone: 'America/Sao_Paulo' })
    expect(await readValue(`timestamptz '2026-11-20 20:00:00Z'`, otherPool)).toBe('2026-11-20T17:00:00-03:00')
    await otherPool.end()
  })

  test('options of the database address are kept', async () => {
    const separator = database.url.includes('?') ? '&' : '?'
    const otherPool = openPool(`${database.url}${separator}options=-c%20search_path%3Dpg_temp`, {
      timezone: 'Asia/Tashkent',
    })
    expect(await readValue(`current_setting('search_path')`, otherPool)).toBe('pg_temp')
    expect(await readValue(`current_setting('TimeZone')`, otherPool)).toBe('Asia/Tashkent')
    await otherPool.end()
  })

  test('a statement over the time limit is ended', async () => {
    expect(await readValue(`current_setting('statement_timeout')`)).toBe('30s')
    const shortPool = openPool(database.url, { timezone: 'Asia/Tashkent', statementTimeout: 50 })
    await expect(readValue('pg_sleep(5)', shortPool)).rejects.toThrow('statement timeout')
    await shortPool.end()
  })
})

test('a pool survives the loss of its idle connections', async () => {
  const lostErrors: Error[] = []
  const idle = openPool(database.url, {
    timezone: 'Asia/Tashkent',
    applicationName: 'karvon idle',
    onConnectionLost: (error) => lostErrors.push(error),
  })
  await idle.query('select 1')
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'karvon idle'`,
  )
  await expect.poll(() => lostErrors.length).toBe(1)
  expect(lostErrors[0]?.message).toContain('terminating connection')
  expect(lostErrors[0]).not.toHaveProperty('client')
  expect(await readValue('1', idle)).toBe(1)
  await idle.end()
})

test('observers see a statement in the context of its caller, also when the caller waited for a connection', async () => {
  const caller = new AsyncLocalStorage<string>()
  const contexts: (string | undefined)[] = []
  const observe = () => {
    contexts.push(caller.getStore())
    return () => {}
  }
  const observedPool = openPool(database.url, {
    timezone: 'Asia/Tashkent',
    max: 1,
    statementObservers: [observe],
  })
  try {
    const client = await observedPool.connect()
    contexts.length = 0
    const waiting = caller.run('waits', () => observedPool.query('select 1'))
    caller.run('releases', () => client.release())
    await waiting
    expect(contexts).toEqual(['waits'])
  } finally {
    await observedPool.end()
  }
})

test('typed queries run over the pool', async () => {
  const db = openDb(pool)
  const role = await db
    .selectFrom('roles')
    .select(['id', 'code'])
    .where('code', '=', 'admin')
    .executeTakeFirstOrThrow()
  expect(role.id).toBeTypeOf('number')
})

test('a search ignores the letter case of Cyrillic', async () => {
  expect(await readValue(`'ТАШКЕНТ' ilike '%ташк%'`)).toBe(true)
  expect(await readValue(`similarity('ТАШКЕНТ', 'ташкент')`)).toBe(1)
})
