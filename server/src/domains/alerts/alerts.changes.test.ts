import pg from 'pg'
import { Registry } from 'prom-client'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createAlertFixture } from '../../../test/alerts.ts'
import { callApi } from '../../../test/app.ts'
import { runJob } from '../../../test/jobs.ts'
import { startJobs } from '../../platform/jobs/jobs.ts'
import { alertsJobs } from './alerts.job.ts'

const fixture = await createAlertFixture()
const { product, people, query, source, evaluate, arrive, ago, createRule, readInbox, switchOn } = fixture
const { admin, aziz } = people
afterAll(fixture.close)
beforeEach(fixture.resetAlerts)

const change = (id: number, body: object) =>
  callApi(product.app, admin.session, 'PUT', `/api/alert-rules/${id}/`, body)
/** Shorter than the minute between two evaluations. */
const soon = { timeout: 20_000 }
const leads = {
  kind: 'metric',
  name: 'Figure',
  metric: 'leads',
  period: 'last_30_days',
  condition: 'below',
  against: 'value',
  threshold: 1e6,
}

test('an alert keeps the figure, the period and the filters of its begin when its rule changes', async () => {
  const { id } = await createRule(admin.session, { ...leads, source_ids: [source] })
  expect((await evaluate()).startedIds).toHaveLength(1)
  const readRule = async () => (await readInbox(admin.session)).items.at(-1)?.rule
  const before = { id, name: 'Figure', metric: 'leads', period: 'last_30_days', source_ids: [source] }
  expect(await readRule()).toMatchObject(before)
  const body = { name: 'Money', metric: 'profit', period: 'all', source_ids: [], offer_ids: [0] }
  expect((await change(id, body)).statusCode).toBe(200)
  expect(await readRule()).toMatchObject({ ...before, name: 'Money', offer_ids: [] })
  expect((await readInbox(admin.session)).items).toMatchObject([
    { currencies: [], ended_without_data: false },
  ])
  await query(`update alert_rules set next_at = '-infinity' where id = $1`, [id])
  expect((await evaluate()).startedIds).toHaveLength(1)
  expect((await readInbox(admin.session)).items).toMatchObject([
    { rule: { metric: 'profit', source_ids: [], offer_ids: [0] }, currencies: ['UZS'] },
    { rule: { metric: 'leads' }, currencies: [] },
  ])
})

test('an alert from before an update shows what its rule reads now', async () => {
  await createRule(admin.session, { ...leads, source_ids: [source] })
  await evaluate()
  await query('update alert_incidents set rule_values = null')
  expect((await readInbox(admin.session)).items).toMatchObject([
    { rule: { metric: 'leads', source_ids: [source], buyer_ids: [] }, currencies: [] },
  ])
})

test('a rule of silence of a person who gets another role awaits its first lead from then on', async () => {
  await createRule(aziz.session, {})
  await query(`update alert_rules set started_at = $1 where owner_id = $2`, [ago(9999), aziz.id])
  expect((await evaluate()).startedIds).toHaveLength(1)
  await query(`update users set role_id = (select id from roles where code = 'admin') where id = $1`, [
    aziz.id,
  ])
  expect(await evaluate()).toMatchObject({ startedIds: [], endedIds: [] })
  expect((await evaluate(ago(-61))).startedIds).toHaveLength(1)
})

test('rules of a kind that fails stay as they are, those of other kinds are evaluated, and the job fails', async () => {
  const { id } = await createRule(admin.session, leads)
  expect((await evaluate()).startedIds).toHaveLength(1)
  await switchOn('money_difference')
  await arrive(ago(61))
  await createRule(admin.session, { name: 'Quiet' })
  await query('alter table source_totals rename to hidden_totals')
  try {
    const { rules, startedIds, endedIds, errors } = await evaluate()
    expect([rules, startedIds.length, endedIds, errors.length]).toEqual([2, 1, [], 1])
    await expect(runJob(alertsJobs(product.deps), 'alerts')).rejects.toThrow('were not evaluated')
  } finally {
    await query('alter table hidden_totals rename to source_totals')
  }
  expect((await readInbox(admin.session)).items).toMatchObject([
    { subject: { name: 'Quiet' }, ended_at: null },
    { rule: { id }, ended_at: null },
  ])
  expect(await evaluate()).toMatchObject({ startedIds: [], endedIds: [], errors: [] })
})

test('a rule against its history that fails at the start of an hour is tried again within the hour', async () => {
  const { id } = await createRule(admin.session, { ...leads, against: 'history', threshold: 50 })
  const readNextAt = async () => (await query('select next_at::text from alert_rules where id = $1', [id]))[0]
  await query('alter table source_totals rename to hidden_totals')
  try {
    expect((await evaluate(fixture.inHour(1))).errors).toHaveLength(1)
  } finally {
    await query('alter table hidden_totals rename to source_totals')
  }
  expect(await readNextAt()).toEqual({ next_at: '-infinity' })
  await evaluate(fixture.inHour(2))
  expect(await query('select from alert_samples where rule_id = $1', [id])).toHaveLength(1)
})

test('a rule that is saved is evaluated before the next minute', async () => {
  const running = startJobs({ ...product.deps, metrics: new Registry() }, alertsJobs(product.deps))
  try {
    const firstRun = () => query('select from alert_evaluations where evaluated_at > $1', [ago(1)])
    await expect.poll(firstRun, soon).toHaveLength(1)
    const { id } = await createRule(admin.session, leads)
    await expect.poll(async () => (await readInbox(admin.session)).items, soon).toHaveLength(1)
    expect((await change(id, { threshold: 1e5 })).statusCode).toBe(200)
    await expect.poll(async () => (await readInbox(admin.session)).items, soon).toHaveLength(2)
  } finally {
    await running.stop()
  }
})

test('an evaluation does not start the next one', async () => {
  await switchOn('money_difference')
  const listener = new pg.Client(product.databaseUrl)
  const jobNames: (string | undefined)[] = []
  listener.on('notification', ({ payload }) => jobNames.push(payload))
  await listener.connect()
  try {
    await listener.query('listen karvon_jobs')
    await createRule(admin.session, leads)
    await listener.query('select')
    expect(jobNames).toContain('alerts')
    jobNames.length = 0
    expect((await evaluate()).startedIds).toHaveLength(1)
    await listener.query('select')
    expect(jobNames).not.toContain('alerts')
  } finally {
    await listener.end()
  }
})
