import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, TEST_TIMEZONE, type TestDatabase } from '../../../test/database.ts'
import { openDb, openPool } from '../database/pool.ts'
import { openLog } from '../../deps.ts'
import { createJobTrigger, startJobs, type Job, type JobDeps, type JobName } from './jobs.ts'

let database: TestDatabase
const pools: pg.Pool[] = []
const log = openLog('silent')

beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await database.drop()
})

function openTestPool(max: number): pg.Pool {
  const pool = openPool(database.url, { timezone: TEST_TIMEZONE, max, applicationName: 'karvon jobs' })
  pools.push(pool)
  return pool
}

const createDeps = (pool: pg.Pool): JobDeps => ({
  db: openDb(pool),
  sessionPool: pool,
  log,
  jobTrigger: createJobTrigger(),
  metrics: new Registry(),
  tracing: null,
})

const job = (name: string, run: Job['run']): Job => ({
  name: name as JobName,
  interval: 20,
  timeout: 60_000,
  isExclusive: true,
  run,
})

test('exclusive jobs that outnumber the connections leave some for their work', async () => {
  const pool = openTestPool(3)
  const ran = new Set<string>()
  const jobs = Array.from({ length: 8 }, (_, number) =>
    job(`job ${number}`, async () => {
      await pool.query('select pg_sleep(0.05)')
      ran.add(`job ${number}`)
    }),
  )
  const startedJobs = startJobs(createDeps(pool), jobs)
  await expect.poll(() => ran.size).toBe(8)
  await startedJobs.stop()
})

test('one of two processes runs an exclusive job, and a run whose lock is lost is aborted', async () => {
  const [first, second, third] = [openTestPool(3), openTestPool(3), openTestPool(1)]
  const running = { now: 0, aborted: 0 }
  const bothJobs = [first, second].map((pool) =>
    startJobs(createDeps(pool), [
      job('one', async (signal) => {
        running.now += 1
        await sleep(60_000, undefined, { signal }).catch(() => {})
        running.aborted += 1
        running.now -= 1
      }),
    ]),
  )
  await expect.poll(() => running.now).toBe(1)
  for (let round = 1; round <= 3; round += 1) {
    await third.query(`select pg_terminate_backend(l.pid) from pg_locks l where l.locktype = 'advisory'
      and l.granted and l.database = (select oid from pg_database where datname = current_database())`)
    await expect.poll(() => running.aborted).toBe(round)
    await expect.poll(() => running.now).toBe(1)
  }
  await Promise.all(bothJobs.map((jobs) => jobs.stop()))
  expect(running.now).toBe(0)
  // The other process may get the lock during the stop; its run is then aborted too.
  expect([4, 5]).toContain(running.aborted)
})
