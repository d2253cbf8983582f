import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApp, createTestAppOn, type Product } from '../../test/app.ts'
import { startJobs, type Job, type JobName } from '../platform/jobs/jobs.ts'

let product: Product
beforeAll(async () => {
  product = await createTestApp()
})
afterAll(() => product.close())

const deploy = join(import.meta.dirname, '..', '..', '..', 'deploy')
const alertsFile = join(deploy, 'prometheus', 'alerts.yaml')
const dashboardFile = join(deploy, 'grafana', 'karvon.json')

/** The served series with their values. */
async function readSeries({ app }: Pick<Product, 'app'> = product): Promise<Record<string, number>> {
  const { body } = await app.inject('/metrics')
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

/** The database is read once a second at most. */
const waitForSeries = (expected: object, ownProduct: Pick<Product, 'app'> = product) =>
  vi.waitFor(async () => expect(await readSeries(ownProduct)).toMatchObject(expected), {
    timeout: 30_000,
    interval: 200,
  })

test('the metrics count the runs of each job by their outcome, with the time of the last success', async () => {
  const buildJob = (name: string, run: Job['run']): Job => ({
    name: name as JobName,
    interval: 60_000,
    timeout: 60_000,
    isExclusive: true,
    run,
  })
  const startedAt = Date.now() / 1000
  const jobs = startJobs(product.deps, [
    buildJob('good', async () => {}),
    buildJob('bad', async () => {
      throw new Error('no')
    }),
  ])
  await waitForSeries({
    'karvon_job_run_duration_seconds_count{name="good",outcome="done"}': 1,
    'karvon_job_run_duration_seconds_count{name="bad",outcome="failed"}': 1,
  })
  await jobs.stop()
  const series = await readSeries()
  expect(series['karvon_job_last_success_timestamp_seconds{name="good"}']).toBeGreaterThanOrEqual(startedAt)
  expect(series).not.toHaveProperty(['karvon_job_last_success_timestamp_seconds{name="bad"}'])
})

test('the metrics show how long the oldest due entry of a queue has waited, if the installation can send it', async () => {
  const series = 'karvon_queue_waiting_seconds{queue="notices"}'
  const productWithBot = await createTestAppOn(product.databaseUrl, { KARVON_TELEGRAM_TOKEN: '1:token' })
  await waitForSeries({ [series]: 0 }, productWithBot)
  await product.deps.pool.query(
    `insert into notices (user_id, kind, once, text, next_at)
     select id, 'digest', 'once', 'Text', now() - interval '2 hours' from users limit 1`,
  )
  await vi.waitFor(async () => expect((await readSeries(productWithBot))[series]).toBeGreaterThan(7199), {
    timeout: 30_000,
    interval: 200,
  })
  await productWithBot.close()
  await sleep(1100)
  expect((await readSeries())[series], 'without a bot no process sends a notice').toBe(0)
})

test('the metrics show what the jobs have not done yet, and when the last postback arrived', async () => {
  const { pool } = product.deps
  const names = [
    'karvon_lead_deltas',
    'karvon_ledger_deltas',
    'karvon_status_recounts',
    'karvon_lead_remaps',
    'karvon_lead_postings',
  ] as const
  await pool.query('delete from lead_posting_queue')
  await waitForSeries(Object.fromEntries(names.map((name) => [name, 0])))
  expect(await readSeries()).not.toHaveProperty('karvon_last_postback_timestamp_seconds')
  await pool.query(`insert into lead_deltas (day, source_id, offer_id, stream_id, leads, accepted, cancel, recall, send, sold,
      returned, hold, profit, hold_amount) select '2026-11-20', 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 from generate_series(1, 2)`)
  await pool.query(`insert into ledger_deltas (account_kind, ref_id, currency, day, amount, entries)
    select 'person', 1, 'UZS', '2026-11-20', 1, 1 from generate_series(1, 3)`)
  await pool.query(`insert into cpa_sources (name, url) values ('Network', '')`)
  await pool.query(
    `insert into lead_remaps (source_id, source_status) select max(id), 'sold' from cpa_sources`,
  )
  await pool.query('insert into lead_posting_queue default values')
  await pool.query('insert into status_recounts (status_id) select min(id) from statuses')
  await pool.query(`insert into postbacks (at, method, params, outcome)
    values ('2026-11-20T10:00:00Z', 'GET', '{}', 'refused')`)
  await waitForSeries({
    karvon_lead_deltas: 2,
    karvon_ledger_deltas: 3,
    karvon_status_recounts: 1,
    karvon_lead_remaps: 1,
    karvon_lead_postings: 1,
    karvon_last_postback_timestamp_seconds: Date.parse('2026-11-20T10:00:00Z') / 1000,
  })
})

test('the metrics show how long calls and jobs wait for a connection of the pool', async () => {
  const { pool, config } = product.deps
  const count = 'database_connection_wait_seconds_count'
  const upTo = 'database_connection_wait_seconds_bucket{le="0.05"}'
  const before = await readSeries()
  const heldClients = await Promise.all(Array.from({ length: config.databasePool }, () => pool.connect()))
  const waiting = pool.query('select 1')
  await sleep(100)
  for (const client of heldClients) client.release()
  await waiting
  const after = await readSeries()
  const slow = (series: Record<string, number>) => (series[count] ?? 0) - (series[upTo] ?? 0)
  expect(slow(after)).toBeGreaterThan(slow(before))
  expect(after[count]).toBeGreaterThan((before[count] ?? 0) + config.databasePool)
})

test.each([
  ['alert rules', alertsFile, /^ +expr: (.+)$/gm],
  ['dashboard', dashboardFile, /"expr": "(.+)",$/gm],
])('every metric of the %s is served', async (_, file, pattern) => {
  const names = [...readFileSync(file, 'utf8').matchAll(pattern)].flatMap(([, expression = '']) =>
    // Without labels, what contains an underscore and is no function is a metric.
    [...expression.replaceAll(/\{[^}]*\}/g, '').matchAll(/[a-z]+(?:_[a-z]+)+(?![a-z_]*\()/g)].map(
      ([name]) => name,
    ),
  )
  expect(names.length).toBeGreaterThan(8)
  const servedNames = new Set(Object.keys(await readSeries()).map((series) => series.replace(/\{.*/, '')))
  // A histogram without an observation has no series. The reads have metrics only with a read replica.
  const url = product.databaseUrl
  const productWithReplica = await createTestAppOn(url, { KARVON_DATABASE_READ_URL: url })
  const { body } = await productWithReplica.app.inject('/metrics')
  await productWithReplica.close()
  const declaredNames = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const isServed = (name: string) =>
    servedNames.has(name) || declaredNames.has(name.replace(/_(?:count|bucket|sum)$/, ''))
  expect(names.filter((name) => !isServed(name))).toEqual([])
})
