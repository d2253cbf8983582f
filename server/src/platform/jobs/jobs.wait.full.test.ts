import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, type Product } from '../../../test/app.ts'
import { TEST_TIMEZONE } from '../../../test/database.ts'
import { createJobs } from '../../app/jobs.ts'
import { openDb, openPool } from '../database/pool.ts'
import { messageQueueJob } from '../queue/queue.job.ts'
import { startJobs, type Job, type RunningJobs } from './jobs.ts'
import { JobWaits } from './jobs.wait.ts'

/** Milliseconds. Shorter than the time between two checks of an idle job, so that only a notification is as fast. */
const wakeTimeout = 15_000

let product: Product
let other: pg.Client
let running: RunningJobs | undefined

beforeAll(async () => {
  product = await createTestApp()
  other = new pg.Client(product.databaseUrl)
  await other.connect()
})
afterAll(async () => {
  await other.end()
  await product.close()
})
beforeEach(async () => {
  await other.query('delete from notices')
})
afterEach(async () => {
  await running?.stop()
  running = undefined
})

/** The connection whose last statement begins with a text. */
const findConnectionsText = `select pid from pg_stat_activity
  where datname = current_database() and starts_with(query, $1)`
const listenText = 'listen karvon_jobs'
const checkText = 'select array['

/** Starts the queue of notices. Returns the ids that it delivered. */
async function startNotices(): Promise<number[]> {
  const delivered: number[] = []
  const job = messageQueueJob(product.deps, {
    name: 'notices',
    table: 'notices',
    interval: 5000,
    deliver: async (id) => {
      delivered.push(id)
      return null
    },
  })
  running = startJobs({ ...product.deps, metrics: new Registry() }, [job])
  const { pool, sessionPool } = product.deps
  // Behind a pooler no session shows the check.
  const texts = pool === sessionPool ? [listenText, checkText] : [listenText]
  for (const text of texts)
    await expect.poll(async () => (await other.query(findConnectionsText, [text])).rowCount).toBe(1)
  return delivered
}

const insertNotice = async (once: string, dueIn = '0 seconds'): Promise<number> => {
  const { rows } = await other.query<{ id: string }>(
    `insert into notices (user_id, kind, once, text, next_at)
     select min(id), 'digest', $1, 'Text', now() + $2::interval from users returning id`,
    [once, dueIn],
  )
  return Number(rows[0]?.id)
}

test('a row of another process wakes the idle queue', async () => {
  const delivered = await startNotices()
  const id = await insertNotice('now')
  await expect.poll(() => delivered, { timeout: wakeTimeout }).toEqual([id])
})

test('a row that becomes due wakes the idle queue at its time, and not before', async () => {
  const delivered = await startNotices()
  const id = await insertNotice('later', '3 seconds')
  const deliveredBefore = [...delivered]
  const { rows } = await other.query<{ waits: boolean }>('select now() < next_at as waits from notices')
  // On a slow machine the time may be over.
  if (rows[0]?.waits === true) expect(deliveredBefore).toEqual([])
  await expect.poll(() => delivered, { timeout: wakeTimeout }).toEqual([id])
  expect((await other.query('select now() >= next_at as due from notices')).rows).toEqual([{ due: true }])
})

test('a row wakes the queue after the connection of the notifications was lost', async () => {
  const delivered = await startNotices()
  const { rowCount } = await other.query(`select pg_terminate_backend(pid) from (${findConnectionsText}) l`, [
    listenText,
  ])
  expect(rowCount).toBe(1)
  const id = await insertNotice('after the loss')
  await expect.poll(() => delivered, { timeout: wakeTimeout }).toEqual([id])
})

test('a notification during a run leads to another run after it, although the run left work', async () => {
  const run = Promise.withResolvers<void>()
  let runs = 0
  const job: Job = {
    name: 'notices',
    interval: 600_000,
    timeout: 600_000,
    isExclusive: false,
    workDelay: sql<number>`select 0`,
    run: async () => {
      runs += 1
      await run.promise
    },
  }
  running = startJobs({ ...product.deps, metrics: new Registry() }, [job])
  await expect.poll(async () => (await other.query(findConnectionsText, [listenText])).rowCount).toBe(1)
  const notification = once(product.deps.jobTrigger, 'notices')
  await insertNotice('during a run')
  await notification
  expect(runs).toBe(1)
  run.resolve()
  await expect.poll(() => runs, { timeout: wakeTimeout }).toBe(2)
})

test('jobs check for work together in one statement, also when their notifications are lost', async () => {
  let statements = 0
  const observed = openPool(product.databaseUrl, {
    timezone: TEST_TIMEZONE,
    max: 1,
    statementObservers: [
      (text) => () => {
        if (text.startsWith(checkText)) statements += 1
      },
    ],
  })
  const stopping = new AbortController()
  const waits = new JobWaits(openDb(observed), {
    trigger: product.deps.jobTrigger,
    stopping: stopping.signal,
    checkInterval: 500,
  })
  const names = ['notices', 'uploads', 'syncs'] as const
  const jobs = names.map((name) => ({
    name,
    interval: 0,
    timeout: 1000,
    isExclusive: false,
    workDelay: sql<number>`select 0 from notices where once = ${name}`,
    run: async () => {},
  }))
  let ended = 0
  const startedAt = performance.now()
  const ends = jobs.map(async (job) => {
    await waits.open(job).untilWork()
    ended += 1
  })
  // Jobs that check by themselves have three statements in each interval.
  const countIntervals = () => Math.floor((performance.now() - startedAt) / 500)
  await expect.poll(() => statements).toBeGreaterThan(0)
  expect(statements).toBeLessThanOrEqual(1 + countIntervals())
  expect(ended).toBe(0)
  await other.query(
    `insert into notices (user_id, kind, once, text) select min(id), 'digest', unnest($1::text[]), 'Text' from users`,
    [names],
  )
  await Promise.all(ends)
  expect(statements).toBeLessThanOrEqual(2 + countIntervals())
  await other.query('delete from notices')
  stopping.abort()
  await observed.end()
})

test('many changes of the figures on one connection notify a few times', async () => {
  const names: string[] = []
  const listener = new pg.Client(product.databaseUrl)
  await listener.connect()
  listener.on('notification', ({ payload = '' }) => names.push(payload))
  await listener.query('listen karvon_jobs')
  const startedAt = performance.now()
  for (let change = 0; change < 100; change += 1)
    await other.query(
      `insert into lead_deltas (day, source_id, offer_id, stream_id, leads, accepted, cancel, recall, send, sold,
         returned, hold, profit, hold_amount)
       values (current_date, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0)`,
    )
  const halfSeconds = (performance.now() - startedAt) / 500
  await other.query(`notify karvon_jobs, 'end'`)
  await expect.poll(() => names).toContain('end')
  await listener.end()
  await other.query('delete from lead_deltas')
  expect(names).toContain('late-leads')
  const folds = names.filter((name) => name === 'fold-lead-deltas')
  expect(folds.length).toBeGreaterThan(0)
  expect(folds.length).toBeLessThanOrEqual(Math.ceil(halfSeconds) + 1)
})

test('an idle installation with ten accounts that are not due reads the database a few times', async () => {
  await other.query(
    `with source as (
       insert into cpa_sources (name, url) values ('Network', 'https://network.example') returning id
     ), website as (
       insert into cpa_websites (name, cpa_source_id, connector) select 'Network', id, '100k' from source
     ), accounts as (
       insert into source_credentials (name, user_id, source_id)
       select n::text, (select min(id) from users), source.id from source, generate_series(1, 10) n returning id
     )
     insert into sync_states (source_credential_id, next_run_at) select id, now() + interval '1 hour' from accounts`,
  )
  let statements = 0
  const count = () => void (statements += 1)
  const pools = new Set([product.deps.pool, product.deps.sessionPool])
  for (const pool of pools) pool.on('acquire', count)
  const countDuring = async (milliseconds: number) => {
    const before = statements
    await sleep(milliseconds)
    return statements - before
  }
  running = startJobs({ ...product.deps, metrics: new Registry() }, createJobs(product.deps))
  await expect.poll(() => countDuring(2000), { interval: 0 }).toBeLessThanOrEqual(2)
  // A job that checks by itself every few seconds reads more often.
  expect(await countDuring(10_000)).toBeLessThanOrEqual(10)
  for (const pool of pools) pool.off('acquire', count)
})

/** Runs each job for some seconds in a process of its own work: `run` in place of its own. Returns the runs of each. */
async function countRuns(jobs: readonly Job[], run: (job: Job) => Promise<void>): Promise<number[]> {
  const counts = jobs.map(() => 0)
  running = startJobs(
    { ...product.deps, metrics: new Registry() },
    jobs.map((job, index) => ({
      ...job,
      isExclusive: false,
      run: async () => {
        counts[index] = (counts[index] ?? 0) + 1
        await run(job)
      },
    })),
  )
  await sleep(4000)
  const countsInTime = [...counts]
  // On a slow machine the first run of a job may be later.
  await expect.poll(() => Math.min(...counts)).toBeGreaterThan(0)
  await running.stop()
  return countsInTime
}

const listAllJobs = () =>
  createJobs({
    ...product.deps,
    config: {
      ...product.deps.config,
      telegram: { token: '1:token', chat: '1', root: 'http://127.0.0.1:9', rate: null, answerWithin: 1000 },
      clamav: '127.0.0.1:9',
    },
  })

test.each([
  ['leaves its work in place', async () => {}],
  [
    'fails',
    async () => {
      throw new Error('The work cannot be done')
    },
  ],
])('no registered job that notifies itself and %s runs without a pause', async (_, end) => {
  const jobs = listAllJobs().map((job) => ({
    ...job,
    ...(job.workDelay !== undefined && { workDelay: sql<number>`select 0` }),
  }))
  expect(jobs.length).toBeGreaterThan(25)
  const counts = await countRuns(jobs, async ({ name }) => {
    product.deps.jobTrigger.emit(name)
    await end()
    // A notification of the database arrives after the run.
    setTimeout(() => product.deps.jobTrigger.emit(name), 20)
  })
  // Several jobs of one name notify each other.
  expect(Math.max(...counts)).toBeLessThanOrEqual(10)
})
