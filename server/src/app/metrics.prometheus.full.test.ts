import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestApp, type Product } from '../../test/app.ts'
import { createTemporaryFolder } from '../../test/folder.ts'
import { findFreePort } from '@karvon/testkit/free-port.ts'
import { startJobs, type JobName, type RunningJobs } from '../platform/jobs/jobs.ts'

// These tests need the programs of Debian's package `prometheus`, and are skipped without them.
const hasPrograms = ['promtool', 'prometheus'].every(
  (program) => spawnSync(program, ['--version']).status === 0,
)

const deploy = join(import.meta.dirname, '..', '..', '..', 'deploy')
const alertsFile = join(deploy, 'prometheus', 'alerts.yaml')

interface Rule {
  readonly name: string
  readonly health: string
  readonly state: string
}

let product: Product
let jobs: RunningJobs
beforeEach(async () => {
  product = await createTestApp()
  jobs = startJobs(product.deps, [
    {
      name: 'notices' satisfies JobName,
      interval: 60_000,
      timeout: 60_000,
      isExclusive: true,
      run: async () => {},
    },
  ])
})
afterEach(async () => {
  await jobs.stop()
  await product.close()
})

function runPromtool(args: string[], input = ''): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  return { status, stderr }
}

test.skipIf(!hasPrograms)('promtool accepts the alert rules, their tests and the metrics', async () => {
  const success = { status: 0, stderr: '' }
  expect(runPromtool(['check', 'rules', alertsFile])).toEqual(success)
  expect(runPromtool(['test', 'rules', join(deploy, 'prometheus', 'alerts.test.yaml')])).toEqual(success)
  const { body } = await product.app.inject('/metrics')
  // prom-client itself names its gauges of Node like counters.
  expect(runPromtool(['check', 'metrics'], body.replaceAll(/^(?:# \w+ )?nodejs_.*\n/gm, ''))).toEqual(success)
})

test.skipIf(!hasPrograms)(
  'Prometheus reads the product and evaluates every rule and every panel of the dashboard',
  async () => {
    await product.app.listen({ port: 0, host: '127.0.0.1' })
    const target = product.app.server.address() as { port: number }
    const folder = createTemporaryFolder()
    const port = await findFreePort()
    const configuration = join(folder, 'prometheus.yaml')
    writeFileSync(
      configuration,
      JSON.stringify({
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        scrape_configs: [{ job_name: 'karvon', static_configs: [{ targets: [`127.0.0.1:${target.port}`] }] }],
        rule_files: [alertsFile],
      }),
    )
    const prometheus = spawn(
      'prometheus',
      [
        `--config.file=${configuration}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    )
    const read = async <T>(path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
      return ((await answer.json()) as { data: T }).data
    }
    const query = async (expression: string) =>
      (await read<{ result?: unknown[] }>(`query?query=${encodeURIComponent(expression)}`)).result?.length
    try {
      await product.deps.pool.query(
        `insert into postbacks (method, params, outcome) values ('GET', '{}', 'refused')`,
      )
      // Two reads make the first rate.
      await vi.waitFor(
        async () => {
          await product.app.inject('/healthz')
          expect(await query('rate(http_request_duration_seconds_count{route="/healthz"}[5m]) > 0')).toBe(1)
          expect(await query('karvon_last_postback_timestamp_seconds')).toBe(1)
        },
        { timeout: 60_000, interval: 500 },
      )
      // On a busy machine a read that takes more than its second makes a rule pending until the next one, and a slow request
      // makes a rule about the slowest requests pending for longer.
      const isSlow = (rule: Rule) => rule.name.endsWith('Slow') && rule.state === 'pending'
      await vi.waitFor(
        async () => {
          const { groups } = await read<{ groups: { rules: Rule[] }[] }>('rules')
          const rules = groups.flatMap((group) => group.rules)
          expect(rules.length).toBeGreaterThan(10)
          const active = rules.filter((rule) => rule.state !== 'inactive' && !isSlow(rule))
          expect(active.map(({ name, state }) => [name, state])).toEqual([])
          expect(rules.filter(({ health }) => health !== 'ok').map(({ name }) => name)).toEqual([])
        },
        { timeout: 30_000, interval: 500 },
      )
      const dashboard = JSON.parse(readFileSync(join(deploy, 'grafana', 'karvon.json'), 'utf8')) as {
        panels: { targets: { expr: string }[] }[]
      }
      // No request is refused, no job fails, and no account is synced in this test.
      const empty = /refused|outcome="failed"|karvon_sync_account_/
      const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
      for (const expression of expressions.filter((text) => !empty.test(text)))
        expect([expression, await query(expression)]).toEqual([expression, expect.any(Number)])
      const results = await Promise.all(expressions.map(query))
      expect(expressions.filter((text, at) => !empty.test(text) && results[at] === 0)).toEqual([])
    } finally {
      const exit = once(prometheus, 'exit')
      prometheus.kill('SIGKILL')
      await exit
      rmSync(folder, { recursive: true })
    }
  },
)
