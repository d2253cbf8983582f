import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, TEST_TIMEZONE, type TestDatabase } from '../../../test/database.ts'
import { openSilentProxy, type SilentProxy } from '../../../test/silent-proxy.ts'
import { monitorPool, type PoolMonitor } from './pool.monitor.ts'
import { openPool } from './pool.ts'

let database: TestDatabase
let proxy: SilentProxy
let pool: pg.Pool
let pulse: PoolMonitor | undefined
let said: string[]

beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
})
afterAll(() => database.drop())

beforeEach(async () => {
  proxy = await openSilentProxy(database.url)
  said = []
  const options = { timezone: TEST_TIMEZONE, max: 2 }
  pool = openPool(proxy.url, options)
  pulse = monitorPool(pool, proxy.url, options, (message) => said.push(message))
})
afterEach(async () => {
  await pulse?.stop()
  await pool.end()
  proxy.close()
})

const backend = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid

/** The pool has a connection, and the beat its own. */
async function beating(): Promise<void> {
  const name = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'karvon-pulse'
    and query like '%pg_is_in_recovery%' and state = 'idle'`
  await expect.poll(async () => (await pool.query(name)).rowCount, { timeout: 30_000 }).toBe(1)
}

test(
  'a host that vanished behind its address is left for the one that answers there',
  { timeout: 60_000 },
  async () => {
    await beating()
    const before = await backend()
    proxy.hush(false)
    await expect(pool.query('select 1')).rejects.toThrow('Connection terminated')
    expect(said.join()).toContain('answers only new connections')
    expect(await backend()).not.toBe(before)
  },
)

test(
  'while nothing answers what waits is given up, and all is well afterwards',
  { timeout: 90_000 },
  async () => {
    await beating()
    proxy.hush(true)
    await expect(pool.query('select 1')).rejects.toThrow('Connection terminated')
    expect(said.join()).toContain('does not answer')
    await expect(pool.query('select 1')).rejects.toThrow(/terminated|timeout/)
    proxy.heal()
    await expect.poll(() => backend().catch(() => 0), { timeout: 30_000 }).toBeGreaterThan(0)
  },
)

test(
  'a statement that takes its time is left alone while others are answered',
  { timeout: 60_000 },
  async () => {
    await beating()
    await pool.query('select pg_sleep(6)')
    expect(said).toEqual([])
  },
)

test('a server that takes no changes is asked nothing more on that connection', async () => {
  await pool.query('set default_transaction_read_only = on')
  const before = await backend()
  await expect(pool.query('create table nothing ()')).rejects.toMatchObject({ code: '25006' })
  await expect.poll(backend, { timeout: 30_000 }).not.toBe(before)
  await pool.query('create table something ()')
})

test('over a Unix socket nobody need listen', () => {
  expect(
    monitorPool(pool, 'postgresql://karvon@/karvon?host=%2Ftmp', { timezone: TEST_TIMEZONE }, () => {}),
  ).toBe(undefined)
})
