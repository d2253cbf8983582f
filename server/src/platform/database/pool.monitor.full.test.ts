import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { adminQuery, createTestDatabase, TEST_TIMEZONE, type TestDatabase } from '../../../test/database.ts'
import { openSilentProxy, type SilentProxy } from '../../../test/silent-proxy.ts'
import { openClient } from './connection.ts'
import { monitorPool, type PoolMonitor } from './pool.monitor.ts'
import { openPool } from './pool.ts'

// A connection that hangs fails its test, and does not hold the whole run.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

let database: TestDatabase
let proxy: SilentProxy
let pool: pg.Pool
let monitor: PoolMonitor | undefined
let messages: string[]

beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
})
afterAll(() => database.drop())

beforeEach(async () => {
  proxy = await openSilentProxy(database.url)
  messages = []
  const options = { timezone: TEST_TIMEZONE, max: 2 }
  pool = openPool(proxy.url, options)
  monitor = monitorPool(pool, { url: proxy.url, options, log: (message) => messages.push(message) })
})
afterEach(async () => {
  // First, because a connection that is still silent would never end.
  proxy.close()
  await monitor?.stop()
  await pool.end()
})

const readBackendPid = async () =>
  (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid

/** The pool and its heartbeat have a connection each. That of an earlier test may still be ending. */
async function waitForMonitor(): Promise<void> {
  const name = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'karvon-pool-monitor'
    and query like '%pg_is_in_recovery%' and state = 'idle'
    and backend_start > (select backend_start from pg_stat_activity where pid = pg_backend_pid())`
  await expect.poll(async () => (await pool.query(name)).rowCount).toBe(1)
}

test('connections to a vanished server are closed if a new connection gets an answer', async () => {
  await waitForMonitor()
  const before = await readBackendPid()
  proxy.stopTraffic(false)
  await expect(pool.query('select 1')).rejects.toThrow('Connection terminated')
  expect(messages.join()).toContain('answers only new connections')
  expect(await readBackendPid()).not.toBe(before)
})

test('waiting statements fail while nothing answers, and the pool recovers afterwards', async () => {
  await waitForMonitor()
  proxy.stopTraffic(true)
  await expect(pool.query('select 1')).rejects.toThrow('Connection terminated')
  expect(messages.join()).toContain('does not answer')
  await expect(pool.query('select 1')).rejects.toThrow(/terminated|timeout/)
  proxy.resumeTraffic()
  await expect.poll(() => readBackendPid().catch(() => 0)).toBeGreaterThan(0)
})

test('waiting statements fail if the monitor has no connection when nothing answers', async () => {
  await readBackendPid()
  // The monitor connects a second after the pool.
  proxy.stopTraffic(true)
  await expect(pool.query('select 1')).rejects.toThrow('Connection terminated')
  expect(messages.join()).toContain('does not answer')
  proxy.resumeTraffic()
  await expect.poll(() => readBackendPid().catch(() => 0)).toBeGreaterThan(0)
})

test('a connection of the monitor that vanishes before its first answer is replaced', async () => {
  const name = new URL(database.url.replace('@/', '@localhost/')).pathname.slice(1)
  // The monitor reads this table instead of the view, and waits for its lock.
  await pool.query('create table pg_stat_activity (pid int, state text, wait_event text)')
  await pool.query(`alter database ${name} set search_path to public, pg_catalog`)
  const blocker = await openClient(database.url, { timezone: TEST_TIMEZONE })
  await blocker.query('begin; lock table public.pg_stat_activity')
  try {
    const waiting = `select 1 from pg_catalog.pg_stat_activity where datname = '${name}' and wait_event_type = 'Lock'`
    await expect.poll(async () => (await adminQuery(waiting)).length).toBeGreaterThan(0)
    proxy.stopTraffic(false)
  } finally {
    await blocker.query('rollback; drop table public.pg_stat_activity')
    await blocker.query(`alter database ${name} reset search_path`)
    await blocker.end()
  }
  // On a slow machine the connection may have been closed before the traffic stopped.
  await Promise.allSettled([pool.query('select 1')])
  await expect.poll(() => messages.join()).toContain('answers only new connections')
})

test('a long statement continues while other connections are answered', async () => {
  await waitForMonitor()
  await pool.query('select pg_sleep(6)')
  expect(messages).toEqual([])
})

test('a connection to a read-only server is closed after its first refused change', async () => {
  await pool.query('set default_transaction_read_only = on')
  const before = await readBackendPid()
  await expect(pool.query('create table nothing ()')).rejects.toMatchObject({ code: '25006' })
  await expect.poll(readBackendPid).not.toBe(before)
  await pool.query('create table something ()')
})

test('a connection over a Unix socket is not monitored', () => {
  expect(
    monitorPool(pool, {
      url: 'postgresql://karvon@/karvon?host=%2Ftmp',
      options: { timezone: TEST_TIMEZONE },
      log: () => {},
    }),
  ).toBe(undefined)
})
