import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { maxAlertLines } from '@karvon/contract/lib/limits.ts'
import { postbackTemplates } from '@karvon/contract/postback-templates/postback-templates.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createAlertFixture } from '../../../test/alerts.ts'
import { callApi, createTestAppOn } from '../../../test/app.ts'
import { createSample } from '../../../test/sample.ts'
import { createNoticeReaders } from '../../app/notices.ts'
import { noticesJobs } from '../notices/notices.jobs.ts'
import { evaluateAlerts } from './alerts.evaluate.ts'
import { endIncidents } from './alerts.incidents.queries.ts'
import { readMoment, readNoticeAlerts } from './alerts.message.queries.ts'

const fixture = await createAlertFixture()
const { product, people, query, evaluate, arrive, ago, createRule, switchOn, sendNotices, readInbox } =
  fixture
const { app, deps } = product
const admin = people.admin.session
afterAll(fixture.close)
beforeEach(async () => {
  await fixture.resetAlerts()
  await query('delete from courier_accounts')
})

const days = 24 * 60
const switchOff = (path: string, id: number) =>
  callApi(app, admin, 'PUT', `/api/admin/${path}/${id}`, { is_active: false })

/** A source that is silent since `minutes` before now, after three weeks of leads. */
async function createSilentSource(minutes: number): Promise<number> {
  const { id } = await createSample(app, admin, cpaSources, { is_active: true })
  await query(
    `insert into lead_arrivals (at, source_id, offer_id, stream_id, leads)
     select at, $1, 0, 0, 6 from generate_series($2::timestamptz - interval '21 days', $2, interval '1 hour') at`,
    [id, ago(minutes)],
  )
  return id
}
const createFailingAccount = async () => {
  const { id } = await createSample(app, admin, courierAccounts, {
    is_active: true,
    user_id: people.admin.id,
  })
  await query('insert into sync_states (courier_account_id, last_success_at) values ($1, $2)', [id, ago(121)])
  return id
}

describe('The end of an incident', () => {
  test('an incident about a source or an account that is switched off ends without a message', async () => {
    const source = await createSilentSource(600)
    const account = await createFailingAccount()
    await switchOn('source_silent')
    await switchOn('sync_failing')
    expect((await evaluate()).startedIds).toHaveLength(2)
    expect(await sendNotices()).toHaveLength(1)
    expect((await switchOff('cpa-sources', source)).statusCode).toBe(200)
    expect((await switchOff('courier-accounts', account)).statusCode).toBe(200)
    await evaluate()
    expect(await sendNotices()).toEqual([])
    const { items } = await readInbox(admin)
    expect(items).toMatchObject([
      { ended_at: expect.any(String) as string },
      { ended_at: expect.any(String) as string },
    ])
  })

  test('a template that is switched off ends its incident without a message, and begins none', async () => {
    const { id } = await createSample(app, admin, postbackTemplates, { is_active: true })
    const refuse = () =>
      query(
        `insert into outgoing_postbacks (template_id, lead_id, source_status, payout, changed_at, status)
         select $1, (select min(id) from leads), 'sold', 1, now(), 'refused' from generate_series(1, 5)`,
        [id],
      )
    await switchOn('postbacks_refused')
    await refuse()
    expect((await evaluate()).startedIds).toHaveLength(1)
    expect(await sendNotices()).toHaveLength(1)
    expect((await switchOff('postback-templates', id)).statusCode).toBe(200)
    await refuse()
    for (const minutes of [0, -120])
      expect(await evaluate(ago(minutes))).toMatchObject({ startedIds: [], endedIds: [] })
    expect(await sendNotices()).toEqual([])
    expect((await readInbox(admin)).items).toMatchObject([{ ended_at: expect.any(String) as string }])
  })

  test('an incident about the syncs of a source that loses its connector ends without a message', async () => {
    const { rows } = await deps.pool.query<{ website: number }>(
      `with s as (insert into cpa_sources (name, url) values ('Network', 'https://n.example') returning id),
         c as (insert into source_credentials (name, user_id, source_id) select 'Account', $1, id from s returning id),
         t as (insert into sync_states (source_credential_id, last_success_at) select id, $2 from c)
       insert into cpa_websites (name, cpa_source_id, connector) select 'Network', id, '100k' from s returning id as website`,
      [people.admin.id, ago(600)],
    )
    await switchOn('sync_failing')
    expect((await evaluate()).startedIds).toHaveLength(1)
    expect(await sendNotices()).toHaveLength(1)
    const path = `/api/admin/cpa-websites/${rows[0]?.website}`
    expect((await callApi(app, admin, 'PUT', path, { connector: null })).statusCode).toBe(200)
    expect(await evaluate()).toMatchObject({ startedIds: [], endedIds: [] })
    expect(await sendNotices()).toEqual([])
    expect((await readInbox(admin)).items).toMatchObject([{ ended_at: expect.any(String) as string }])
  })

  test('a source that is silent for months stays one open alert', async () => {
    await createSilentSource(30 * days)
    await switchOn('source_silent')
    expect((await evaluate(ago(28 * days))).startedIds).toHaveLength(1)
    for (const day of [20, 10, 0, -30, -60])
      expect(await evaluate(ago(day * days))).toMatchObject({ startedIds: [], endedIds: [] })
  })

  test('an account whose network is not fetched any more has not recovered', async () => {
    const { id: source } = await createSample(app, admin, cpaSources, { is_active: true })
    await query(`insert into cpa_websites (name, cpa_source_id, connector) values ('Site', $1, 'generic')`, [
      source,
    ])
    const [account] = await query(
      `insert into source_credentials (name, source_id, user_id) values ('Account', $1, $2) returning id`,
      [source, people.admin.id],
    )
    await query(
      `insert into sync_states (source_credential_id, last_success_at) values ($1, $2)
       on conflict (source_credential_id) do update set last_success_at = excluded.last_success_at`,
      [account?.id, ago(121)],
    )
    await switchOn('sync_failing')
    expect((await evaluate()).startedIds).toHaveLength(1)
    await sendNotices()
    await query('update cpa_websites set connector = null where cpa_source_id = $1', [source])
    expect((await evaluate()).endedIds).toEqual([])
    expect(await sendNotices()).toEqual([])
    expect((await readInbox(admin)).items).toMatchObject([{ ended_at: expect.any(String) as string }])
  })

  test('an incident whose subject is switched off while the rules are evaluated ends without a message', async () => {
    const source = await createSilentSource(600)
    await switchOn('source_silent')
    const { startedIds } = await evaluate()
    expect(startedIds).toHaveLength(1)
    const [rule] = await query('select rule_id from alert_incidents')
    const evaluation = { at: await readMoment(deps.db), ruleIds: [Number(rule?.rule_id)] }
    // What the statement of the kind finds after the switch.
    expect((await switchOff('cpa-sources', source)).statusCode).toBe(200)
    expect(await endIncidents(deps.db, evaluation, [])).toEqual([])
    expect((await readInbox(admin)).items).toMatchObject([{ ended_at: expect.any(String) as string }])
  })
})

test('a stream whose approve rate fell has not recovered while it has too few leads', async () => {
  const [stream] = await query('insert into streams (name, source_id) values ($1, $2) returning id', [
    'Idle',
    fixture.source,
  ])
  const plant = (firstDay: number, lastDay: number, accepted: number, cancel: number) =>
    query(
      `insert into lead_deltas (day, source_id, offer_id, stream_id, leads, accepted, cancel, recall, send, sold, returned,
         hold, profit, hold_amount)
       select current_date - n, $1, 0, $2, $5::integer + $6::integer, $5, $6, 0, 0, 0, 0, 0, 0, 0
       from generate_series($3::integer, $4::integer) n`,
      [fixture.source, stream?.id, lastDay, firstDay, accepted, cancel],
    )
  const due = () => query(`update alert_rules set next_at = '-infinity' where kind = 'approve_drop'`)
  await plant(60, 5, 60, 40)
  await plant(0, 0, 10, 90)
  await switchOn('approve_drop')
  expect((await evaluate()).startedIds).toHaveLength(1)
  // Four days later all new leads are older than the compared days.
  await due()
  expect(await evaluate(ago(-4 * days))).toMatchObject({ startedIds: [], endedIds: [] })
  await plant(0, 0, 600, 0)
  await due()
  expect((await evaluate()).endedIds).toHaveLength(1)
})

test('a rule whose figure has no value now keeps its incident, and ends it by its next value', async () => {
  const rate = { kind: 'metric', metric: 'approve_rate', period: 'today', condition: 'below' }
  await createRule(admin, { ...rate, against: 'value', threshold: 100 })
  expect((await evaluate()).startedIds).toHaveLength(1)
  // Tomorrow has no leads, so it has no rate.
  expect(await evaluate(ago(-days))).toMatchObject({ startedIds: [], endedIds: [] })
  await query(`update alert_rules set threshold = 1 where kind = 'metric'`)
  expect((await evaluate()).endedIds).toHaveLength(1)
  expect((await evaluate(ago(-days))).startedIds).toEqual([])
})

test('the end of an incident is reported if and only if its begin was, also if it ends while the message is composed', async () => {
  await arrive(ago(61))
  for (const name of ['First', 'Second']) await createRule(admin, { name })
  await evaluate()
  const [notice] = await query('select id from notices')
  let isEnded = false
  const statements = deps.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!isEnded) {
        isEnded = true
        await query(`update alert_incidents set ended_at = now() where subject_name = 'Second'`)
      }
      return result
    },
  })
  const composed = await readNoticeAlerts(statements, Number(notice?.id))
  const rows = await query(
    `select i.subject_name as subject from alert_receivers a join alert_incidents i on i.id = a.incident_id
     where a.began_notice_id = $1 order by i.id`,
    [notice?.id],
  )
  expect(rows).toEqual(composed.map(({ subject }) => ({ subject })))
})

test('a role that is removed from a rule gets no message about the end, and its alert is removed', async () => {
  const [buyers] = await query(`select id from roles where code = 'buyer'`)
  await arrive(ago(61))
  const { id } = await createRule(admin, { receiver_role_ids: [Number(buyers?.id)] })
  await evaluate()
  expect((await sendNotices()).map(({ chat }) => chat).toSorted()).toEqual(['501', '502', '503'])
  const change = { receiver_role_ids: [] }
  expect((await callApi(app, admin, 'PUT', `/api/alert-rules/${id}/`, change)).statusCode).toBe(200)
  expect((await readInbox(people.aziz.session)).items).toEqual([])
  await arrive(ago(0))
  await evaluate()
  expect((await sendNotices()).map(({ chat }) => chat)).toEqual(['503'])
})

test('a message of the most lines with long names has all of them, and its link', async () => {
  await query(`update users set language = 'uz'`)
  const accounts = []
  for (let n = 0; n < 2 * maxAlertLines; n += 1) accounts.push(await createFailingAccount())
  await query(`update courier_accounts set name = rpad(name, 255, 'Ж') where id = any($1)`, [accounts])
  const firstAccounts = accounts.slice(0, maxAlertLines)
  const setSuccess = (at: string, isFirst: boolean) =>
    query('update sync_states set last_success_at = $1 where (courier_account_id = any($2)) = $3', [
      at,
      firstAccounts,
      isFirst,
    ])
  await setSuccess(ago(0), false)
  await switchOn('sync_failing')
  await evaluate()
  expect(await sendNotices()).toHaveLength(1)
  await setSuccess(ago(0), true)
  await setSuccess(ago(9999), false)
  await evaluate()
  const [message] = await sendNotices()
  const text = message?.text ?? ''
  expect(text.split('\n').filter((line) => line.startsWith('•'))).toHaveLength(2 * maxAlertLines)
  expect(text).toMatch(/\n\nhttps:\/\/desk\.example\/alerts$/)
})

test('two processes that evaluate and send at once report a begin and an end once', async () => {
  const { telegram } = deps.config
  const other = await createTestAppOn(product.databaseUrl, {}, { telegram })
  const both = [deps, other.deps]
  const runBoth = async () => {
    await query('update alert_evaluations set evaluated_at = null')
    const at = await readMoment(deps.db)
    await Promise.all(both.map(({ db, config }) => evaluateAlerts(db, { at, currency: config.currency })))
    const jobs = both.flatMap((some) => noticesJobs(some, createNoticeReaders(some), 0))
    await Promise.all(
      jobs.filter((job) => job.name === 'notices').map(async (job) => job.run(new AbortController().signal)),
    )
    return fixture.telegram.messages.splice(0).map(({ text }) => text.split('\n')[0])
  }
  try {
    await arrive(ago(61))
    for (let n = 0; n < 5; n += 1) await createRule(admin, { name: `Rule ${n}` })
    expect(await runBoth()).toEqual(['Требует внимания'])
    expect(await runBoth()).toEqual([])
    await arrive(ago(0))
    expect(await runBoth()).toEqual(['Закончилось'])
    expect(await runBoth()).toEqual([])
  } finally {
    await other.close()
  }
})
