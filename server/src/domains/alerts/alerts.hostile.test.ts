import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { maxAlertName, maxMoney } from '@karvon/contract/lib/limits.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createAlertFixture } from '../../../test/alerts.ts'
import { callApi } from '../../../test/app.ts'
import { hour } from '../../../test/moment.ts'
import { passTime } from '../../../test/pass-time.ts'
import { createSample } from '../../../test/sample.ts'
import { clockSetBackJob } from '../../app/clock.jobs.ts'

const fixture = await createAlertFixture()
const { product, people, query, evaluate, evaluateAt, arrive, ago, inHour } = fixture
const { createRule, sendNotices, readInbox } = fixture
const { admin, aziz } = people
const { app, deps } = product
afterAll(fixture.close)
beforeEach(fixture.resetAlerts)

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object, as = admin.session) =>
  callApi(app, as, method, url, body)
const setRole = (code: string) =>
  query('update users set role_id = (select id from roles where code = $1) where id = $2', [code, admin.id])
const figure = {
  kind: 'metric',
  metric: 'leads',
  period: 'last_7_days',
  condition: 'above',
  against: 'value',
}

describe('Alerts through changes of rights and of the clock', () => {
  test.each([
    ['of the role of its owner', () => setRole('buyer'), () => setRole('admin')],
    [
      "of the code of its owner's role",
      () => query(`update roles set code = 'former' where code = 'admin'`),
      () => query(`update roles set code = 'admin' where code = 'former'`),
    ],
  ])('after a change %s a rule starts again, and reports nothing of before', async (_, change, restore) => {
    await createRule(admin.session, { ...figure, threshold: 0 })
    const { id } = await createRule(admin.session, {
      ...figure,
      condition: 'below',
      against: 'history',
      threshold: 10,
    })
    await query(
      `insert into alert_samples (rule_id, hour, value) select $1, date_trunc('hour', now()) - make_interval(days => 7 * n), 5000
       from generate_series(1, 4) n`,
      [id],
    )
    await query(`update alert_rules set is_active = false where id = $1`, [id])
    expect((await evaluate()).startedIds).toHaveLength(1)
    await change()
    expect(await sendNotices()).toEqual([])
    await query(`update alert_rules set is_active = true, next_at = '-infinity' where id = $1`, [id])
    expect(await evaluate(inHour(0))).toMatchObject({ startedIds: [] })
    expect(await query('select from alert_samples where value = 5000')).toEqual([])
    await restore()
  })

  test('after the clock was set back, hold times, snoozes and silences do not last until the time that was wrong', async () => {
    const clock = clockSetBackJob(deps)
    const run = () => clock.run(new AbortController().signal)
    await run()
    await arrive(ago(61))
    await createRule(admin.session, { hold_minutes: 5 })
    await evaluate()
    await query(`insert into alert_incidents (rule_id, subject_kind, subject_id, subject_name, value, threshold, pending_since, began_at)
      select id, 'rule', 9, 'Snoozed', 1, 1, now(), now() from alert_rules where owner_id is not null`)
    await query(
      `insert into alert_receivers (incident_id, user_id, snoozed_until)
       select id, $1, now() + interval '1 hour' from alert_incidents where subject_id = 9`,
      [admin.id],
    )
    await query(
      `insert into stream_arrivals (source_id, offer_id, stream_id, last_at) values (77, 0, 0, now())`,
    )
    await passTime(deps.pool, -9000 * hour)
    await run()
    const [late] = await query(`select
      (select count(*)::int from alert_incidents where pending_since > now() + interval '1 minute') as pending,
      (select count(*)::int from alert_receivers where snoozed_until > now() + interval '2 hours') as snoozed,
      (select count(*)::int from stream_arrivals where last_at > now() + interval '1 minute') as arrived`)
    expect(late).toEqual({ pending: 0, snoozed: 0, arrived: 0 })
  })

  test('two workers that evaluate at once begin and end an incident once', async () => {
    await arrive(ago(61))
    await createRule(admin.session, {})
    await query('update alert_evaluations set evaluated_at = null')
    const begins = await Promise.all(Array.from({ length: 4 }, () => evaluateAt()))
    expect(begins.flatMap(({ startedIds }) => startedIds)).toHaveLength(1)
    expect(await sendNotices()).toHaveLength(1)
    await arrive(ago(0))
    const ends = await Promise.all(Array.from({ length: 4 }, () => evaluateAt()))
    expect(ends.flatMap((result) => result.endedIds)).toHaveLength(1)
    expect(await sendNotices()).toHaveLength(1)
  })

  test('rules that are changed, deleted and created during evaluations leave no alert of a former state', async () => {
    await arrive(ago(61))
    const rules = []
    for (let n = 0; n < 8; n += 1) rules.push(await createRule(admin.session, { name: `Rule ${n}` }))
    await Promise.all([
      ...Array.from({ length: 4 }, () => evaluateAt()),
      ...rules.map(({ id }, n) =>
        n % 2 === 0
          ? call('PUT', `/api/alert-rules/${id}/`, { threshold: 1000 })
          : call('DELETE', `/api/alert-rules/${id}/`),
      ),
      createRule(aziz.session, { name: 'New' }),
    ])
    await evaluate()
    expect(await query('select from alert_incidents where ended_at is null')).toEqual([])
    expect(await sendNotices()).toEqual([])
  })
})

test('a rule is created while an evaluation runs', async () => {
  const { id } = await createRule(admin.session, {})
  const client = await deps.pool.connect()
  try {
    await client.query('begin')
    await client.query('update alert_rules set next_at = now() where id = $1', [id])
    expect(await createRule(aziz.session, { name: 'New' })).toMatchObject({ name: 'New' })
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('a begin that Telegram refused or did not answer is not sent after the incident has ended', async () => {
  for (const mode of ['slow_down', 'broken', 'kicked', 'no_chat', 'garbage', 'reset'] as const) {
    await fixture.resetAlerts()
    await arrive(ago(61))
    await createRule(admin.session, { name: mode })
    await evaluate()
    fixture.telegram.mode = mode
    expect(await sendNotices(), mode).toEqual([])
    fixture.telegram.mode = 'ok'
    await arrive(ago(0))
    await evaluate()
    await query(`update notices set next_at = now(), leased_until = null`)
    await query('delete from telegram_chats')
    for (const { text } of await sendNotices()) expect(text, mode).not.toContain('Требует внимания')
    expect(await query(`select from notices where status = 'queued'`), mode).toEqual([])
  }
})

describe('Alerts with unusual input', () => {
  test('any printable name is kept, and its message stays one line in its own direction', async () => {
    const names = [
      '🔥'.repeat(maxAlertName / 2),
      'x\u202Eتنبيه\u2066x',
      '<b>&amp;</b> {value} {subject}',
      '\u{1F468}\u200D\u{1F469}',
    ]
    await arrive(ago(61))
    for (const name of names) await createRule(admin.session, { name })
    // Earlier versions stored names of several lines.
    names.push('a\tb\nc\u2028d')
    const { id } = await createRule(admin.session, {})
    await query('update alert_rules set name = $1 where id = $2', [names.at(-1), id])
    await evaluate()
    const [message] = await sendNotices()
    const lines = (message?.text ?? '').split('\n').filter((line) => line.startsWith('•'))
    expect(lines).toHaveLength(names.length)
    expect(message?.text).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u2028\t]/)
    expect(message?.text).toContain('{value} {subject}')
    expect((await readInbox(admin.session)).items.map(({ subject }) => subject.name).toSorted()).toEqual(
      names.toSorted(),
    )
  })

  test('the largest threshold of any kind does not delay the alerts of other rules', async () => {
    const account = { is_active: true, user_id: admin.id }
    const { id } = await createSample(app, admin.session, courierAccounts, account)
    await query('insert into sync_states (courier_account_id, last_success_at) values ($1, now())', [id])
    const threshold = maxMoney
    await createRule(aziz.session, { threshold })
    for (const condition of ['below', 'above'])
      await createRule(aziz.session, { ...figure, condition, against: 'history', threshold })
    await query(
      `insert into alert_samples (rule_id, hour, value) select id, date_trunc('hour', now()) - make_interval(days => 7 * n), 5000
       from alert_rules, generate_series(1, 4) n where against = 'history'`,
    )
    await query('update alert_rules set is_active = true, threshold = $1 where owner_id is null', [threshold])
    await query(`update alert_rules set next_at = '-infinity'`)
    await arrive(ago(61))
    const rule = await createRule(admin.session, {})
    await evaluate(inHour(0))
    await query(`update alert_rules set next_at = '-infinity'`)
    await evaluate()
    expect(await query('select rule_id from alert_incidents where began_at is not null')).toEqual([
      { rule_id: rule.id },
    ])
  })

  test('values outside of their limits are refused and change nothing', async () => {
    const rule = { kind: 'silence', name: 'Quiet', threshold: 60 }
    for (const body of [
      { name: 'x'.repeat(maxAlertName + 1) },
      { name: '\u0000' },
      { name: ' \u200A ' },
      { name: 5 },
      { threshold: 1e30 },
      { threshold: -1 },
      { threshold: 0.001 },
      { threshold: '60' },
      { threshold: null },
      { hold_minutes: 1e9 },
      { hold_minutes: 0.5 },
      { receiver_role_ids: Array.from({ length: 21 }, (_, n) => n) },
      { kind: 'metric', period: 'tomorrow', metric: 'leads', condition: 'below', against: 'value' },
      { kind: 'metric', period: 'today', metric: 'constructor', condition: 'below', against: 'value' },
      { is_active: 'yes' },
    ])
      expect(
        (await call('POST', '/api/alert-rules/', { ...rule, ...body })).statusCode,
        JSON.stringify(body),
      ).toBe(422)
    expect(await query('select from alert_rules where owner_id is not null')).toEqual([])
    for (const [method, url, body] of [
      ['GET', '/api/inbox/?page=9007199254740993', undefined],
      ['GET', '/api/inbox/?rule_id=-1', undefined],
      ['POST', '/api/inbox/read/', { ids: [-1] }],
      ['POST', '/api/inbox/read/', { ids: 'all' }],
      ['PUT', '/api/inbox/9007199254740991/snooze/', { until: 'hour' }],
      ['PUT', '/api/inbox/1/snooze/', { until: 'always' }],
      ['PUT', '/api/alert-rules/9007199254740991/mute/', { muted: true }],
      ['DELETE', '/api/alert-rules/0/', undefined],
    ] as const) {
      const { statusCode } = await call(method, url, body)
      expect(statusCode, url).toBeGreaterThanOrEqual(400)
      expect(statusCode, url).toBeLessThan(500)
    }
  })

  test('the bot gives each message one answer, whatever is in it', async () => {
    const messages = [
      '/find \uD800',
      '/find %',
      `/find ${"';--".repeat(50)}`,
      '/find \u0000',
      `/find ${'🔥'.repeat(2000)}`,
      `/mute ${'9'.repeat(4000)}`,
      '/mute \u202Eyawla',
      '/MUTE  HOUR',
      '/today\u2028/stop',
      '/balance@Other_bot 1e308',
      '/__proto__',
      '/constructor toString',
    ]
    for (const message of messages) {
      fixture.restart()
      expect(await fixture.ask(501, message), message).toHaveLength(1)
    }
    expect(await query(`select from telegram_links where chat_id = '501'`)).toHaveLength(1)
  })

  test('an incident that lasts for weeks is reported once at its begin and once at its end', async () => {
    await createRule(admin.session, {})
    await query(`update alert_rules set started_at = now() - interval '60 days' where owner_id is not null`)
    for (let day = 50; day >= 0; day -= 5) await evaluate(ago(day * 24 * 60))
    expect(await sendNotices()).toHaveLength(1)
    expect((await readInbox(admin.session)).items).toHaveLength(1)
    await arrive(ago(0))
    await evaluate()
    expect(await sendNotices()).toHaveLength(1)
  })
})
