import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApp, type Product } from '../../test/app.ts'
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
async function readSeries(): Promise<Record<string, number>> {
  const { body } = await product.app.inject('/metrics')
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

/** The database is read once a second at most. */
const waitForSeries = (expected: object) =>
  vi.waitFor(async () => expect(await readSeries()).toMatchObject(expected), {
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

test('the metrics show how long the oldest due entry of a queue has waited', async () => {
  await waitForSeries({ 'karvon_queue_waiting_seconds{queue="notices"}': 0, karvon_lead_deltas: 0 })
  await product.deps.pool.query(
    `insert into notices (user_id, kind, once, text, next_at)
     select id, 'digest', 'once', 'Text', now() - interval '2 hours' from users limit 1`,
  )
  await vi.waitFor(
    async () =>
      expect((await readSeries())['karvon_queue_waiting_seconds{queue="notices"}']).toBeGreaterThan(7199),
    { timeout: 30_000, interval: 200 },
  )
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
  const served = new Set(Object.keys(await readSeries()).map((series) => series.replace(/\{.*/, '')))
  // A histogram without an observation has no series.
  const { body } = await product.app.inject('/metrics')
  const declared = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const isServed = (name: string) =>
    served.has(name) || declared.has(name.replace(/_(?:count|bucket|sum)$/, ''))
  expect(names.filter((name) => !isServed(name))).toEqual([])
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

test.skipIf(!hasPromtool)('promtool accepts the alert rules and the metrics', async () => {
  expect(spawnSync('promtool', ['check', 'rules', alertsFile], { encoding: 'utf8' }).stderr).toBe('')
  const { body } = await product.app.inject('/metrics')
  // prom-client itself names its gauges of Node like counters.
  const input = body.replaceAll(/^(?:# \w+ )?nodejs_.*\n/gm, '')
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
