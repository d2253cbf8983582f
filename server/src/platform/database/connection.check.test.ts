import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { openSession, UnsuitableConnectionError } from './connection.check.ts'
import { isDatabaseUnavailable } from './pg-errors.ts'

const settings = { TimeZone: 'Pacific/Chatham', DateStyle: 'ISO', statement_timeout: '1234' }

let database: TestDatabase
let clients: pg.Client[]

beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
})
afterAll(() => database.drop())
beforeEach(async () => {
  clients = [new pg.Client(database.url), new pg.Client(database.url)]
  for (const client of clients) await client.connect()
  return async () => {
    for (const client of clients) await client.end()
  }
})

/** A client whose statements alternate between the sessions of `clients`, as behind a pooler in transaction mode. */
function createAlternatingClient(): pg.Client {
  let count = 0
  return {
    query: (query: pg.QueryArrayConfig) => clients[count++ % clients.length]?.query(query),
  } as unknown as pg.Client
}

const countLocks = async () =>
  (
    await clients[0]?.query(`select from pg_locks where locktype = 'advisory' and database =
    (select oid from pg_database where datname = current_database())`)
  )?.rowCount

test('a new database session has its settings and keeps no lock', async () => {
  const [client] = clients
  if (client === undefined) throw new Error('There is no client')
  await openSession(client, settings, 5000)
  const text = `select current_setting('TimeZone') as zone, current_setting('statement_timeout') as timeout`
  expect((await client.query(text)).rows).toEqual([{ zone: 'Pacific/Chatham', timeout: '1234ms' }])
  expect(await countLocks()).toBe(0)
})

test('statements in two sessions are refused with the remedy', async () => {
  const error: unknown = await openSession(createAlternatingClient(), settings, 5000).catch(
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(UnsuitableConnectionError)
  expect(String(error)).toContain('Set KARVON_DATABASE_DIRECT_URL to the address of PostgreSQL itself')
  expect(isDatabaseUnavailable(error)).toBe(true)
})

test('statements in two sessions with equal settings are refused, because only one session has the lock', async () => {
  for (const client of clients) await openSession(client, settings, 5000)
  await expect(openSession(createAlternatingClient(), settings, 5000)).rejects.toThrow(
    UnsuitableConnectionError,
  )
})
