import { afterAll, beforeEach, expect, test } from 'vitest'
import { createAlertFixture } from '../../../test/alerts.ts'
import { foldDeltas } from '../reports/reports.fold.queries.ts'
import { readMetrics } from './alerts.metric.queries.ts'

const fixture = await createAlertFixture()
const { product, people, query, source, evaluate, inHour, createRule } = fixture
const { session } = people.admin
const { deps } = product
afterAll(fixture.close)
beforeEach(async () => {
  await fixture.resetAlerts()
  await query('delete from lead_deltas')
})

const rule = { kind: 'metric', metric: 'leads', period: 'today', against: 'history', threshold: 50 }
/** Figures of leads of a day, as the triggers of leads write them. */
const plant = (leads: number, day = 'current_date') =>
  query(
    `insert into lead_deltas (day, source_id, offer_id, stream_id, leads, accepted, cancel, recall, send, sold, returned,
       hold, profit, hold_amount) values (${day}, $1, 0, 0, $2, 0, 0, 0, 0, 0, 0, 0, 0, 0)`,
    [source, leads],
  )
/** Values of a rule in the last four weeks, `minutes` after the start of this hour. */
const plantHistory = (id: number, value: number, minutes = 0) =>
  query(
    `insert into alert_samples (rule_id, hour, value)
     select $1, $2::timestamptz - make_interval(days => 7 * n), $3 from generate_series(1, 4) n`,
    [id, inHour(minutes), value],
  )
const readHours = async (id: number) =>
  (await query('select hour from alert_samples where rule_id = $1 and hour > $2', [id, inHour(-1)])).length

test('a rule that missed the start of an hour is neither compared nor stored in this hour', async () => {
  const created = await createRule(session, { ...rule, condition: 'above', source_ids: [source] })
  await plantHistory(created.id, 1)
  await plant(1_000_000)
  expect(await evaluate(inHour(45))).toMatchObject({ startedIds: [], endedIds: [] })
  expect(await readHours(created.id)).toBe(0)
  await query(`update alert_rules set next_at = '-infinity' where id = $1`, [created.id])
  expect((await evaluate(inHour(4))).startedIds).toHaveLength(1)
  expect(await readHours(created.id)).toBe(1)
})

test('a rule is compared with the hours of another time zone, which begin at another minute', async () => {
  const created = await createRule(session, { ...rule, condition: 'above', source_ids: [source] })
  await plantHistory(created.id, 1, 15)
  await plant(1_000_000)
  expect((await evaluate(inHour(4))).startedIds).toHaveLength(1)
})

test('the hold time of a rule against its history counts full hours', async () => {
  const created = await createRule(session, {
    ...rule,
    period: 'all',
    condition: 'above',
    source_ids: [source],
    hold_minutes: 120,
  })
  for (const hours of [0, 1, 2]) await plantHistory(created.id, 1, 60 * hours)
  await plant(1_000_000)
  const started = []
  // The evaluations are less than an hour apart.
  for (const minutes of [2, 61, 120]) started.push((await evaluate(inHour(minutes))).startedIds.length)
  expect(started).toEqual([0, 0, 1])
})

const readMetricsOf = async ({ id }: { id: number }, db = deps.db) =>
  (await readMetrics(db, { at: inHour(0), ruleIds: [id] })).map(({ value }) => Number(value))

test('a figure of all time has the leads of days that are folded while it is read', async () => {
  const created = await createRule(session, { ...rule, period: 'all', against: 'value', condition: 'above' })
  const [value = 0] = await readMetricsOf(created)
  await plant(7, `date '1999-05-05'`)
  // A fold commits after the first statement.
  const statements = deps.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await foldDeltas(deps.db)
      return result
    },
  })
  expect(await readMetricsOf(created, statements)).toEqual([value + 7])
})
