import { maxAlertLines, maxAlertsPerDay } from '@karvon/contract/lib/limits.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createAlertFixture } from '../../../test/alerts.ts'
import { callApi } from '../../../test/app.ts'

const fixture = await createAlertFixture()
const { product, people, query, evaluate, evaluateAt, arrive, ago, createRule, sendNotices, readInbox } =
  fixture
const { admin, aziz } = people
afterAll(fixture.close)
beforeEach(fixture.resetAlerts)

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object, as = admin.session) =>
  callApi(product.app, as, method, url, body)
const texts = (messages: { text: string }[]) => messages.map(({ text }) => text)

describe('Alerts', () => {
  test('an incident is reported once at its begin and once at its end, with any number of evaluations', async () => {
    await arrive(ago(61))
    await createRule(admin.session, { name: 'Feed' })
    for (let n = 0; n < 3; n += 1) await evaluate()
    expect(texts(await sendNotices())).toEqual([
      'Требует внимания\n• Feed: нет лидов 1 ч 1 мин\n\nhttps://desk.example/alerts',
    ])
    await evaluate()
    expect(await sendNotices()).toEqual([])
    await arrive(ago(0))
    for (let n = 0; n < 3; n += 1) await evaluate()
    expect(texts(await sendNotices())).toEqual([
      'Закончилось\n• Feed: лиды снова приходят\n\nhttps://desk.example/alerts',
    ])
    const { items, meta } = await readInbox(admin.session)
    const incident = { value: 61, threshold: 60, is_read: false, ended_at: expect.any(String) }
    expect(items).toMatchObject([{ rule: { name: 'Feed' }, ...incident }])
    expect(meta.unread).toBe(1)
  })

  test('a condition that does not hold for the hold time of its rule is never an incident', async () => {
    await arrive(ago(60))
    await createRule(admin.session, { threshold: 50, hold_minutes: 10 })
    expect((await evaluate(ago(9))).startedIds).toEqual([])
    expect((await evaluate(ago(1))).startedIds).toEqual([])
    expect((await readInbox(admin.session)).items).toEqual([])
    expect((await evaluate(ago(-2))).startedIds).toHaveLength(1)
    await arrive(ago(0))
    await evaluate()
    await arrive(ago(-60))
    expect((await evaluate(ago(-115))).startedIds).toEqual([])
    await arrive(ago(-116))
    expect(await evaluate(ago(-116))).toMatchObject({ startedIds: [], endedIds: [] })
    expect((await evaluate(ago(-126))).startedIds).toEqual([])
  })

  test('an incident that ends before its message is sent is not reported', async () => {
    await arrive(ago(61))
    await createRule(admin.session, {})
    await evaluate()
    await arrive(ago(0))
    await evaluate()
    expect(await sendNotices()).toEqual([])
    expect(await query(`select status from notices order by id`)).toEqual([
      { status: 'refused' },
      { status: 'refused' },
    ])
    expect((await readInbox(admin.session)).items).toHaveLength(1)
  })

  test('incidents that begin in one evaluation are one message, which names ten of them', async () => {
    await arrive(ago(61))
    for (let n = 1; n <= 12; n += 1) await createRule(admin.session, { name: `Feed ${n}` })
    await evaluate()
    const [text = '', ...furtherTexts] = texts(await sendNotices())
    expect(furtherTexts).toEqual([])
    expect(text.split('\n').filter((line) => line.startsWith('•'))).toHaveLength(maxAlertLines)
    expect(text).toContain('и ещё 2')
  })

  test('a merged message leaves out incidents that ended before it was sent, and only the ends of its incidents are reported', async () => {
    await arrive(ago(61))
    await arrive(ago(61), { stream: 900 })
    await createRule(admin.session, { name: 'All' })
    await query('update alert_rules set started_at = now() - interval $$2 hours$$ where owner_id is not null')
    const { id } = await createRule(admin.session, { name: 'Other' })
    await evaluate()
    await call('PUT', `/api/alert-rules/${id}/`, { threshold: 90 })
    expect(texts(await sendNotices())[0]).not.toContain('Other')
    await arrive(ago(0))
    await evaluate()
    expect(texts(await sendNotices())).toEqual([expect.stringContaining('• All: лиды снова приходят')])
  })

  test('after a pause of the product, feeds have half an hour to catch up before their silence is reported', async () => {
    await arrive(ago(300))
    await createRule(admin.session, { threshold: 45 })
    await query('update alert_evaluations set evaluated_at = $1', [ago(280)])
    for (const minutes of [240, 230, 220]) expect((await evaluateAt(ago(minutes))).startedIds).toEqual([])
    expect((await evaluateAt(ago(209))).startedIds).toHaveLength(1)
  })

  test('the hold time of a rule does not include a pause of the product', async () => {
    const figure = { kind: 'metric', metric: 'leads', period: 'today', condition: 'below', against: 'value' }
    await createRule(admin.session, { ...figure, threshold: 1e9, hold_minutes: 60 })
    expect((await evaluateAt(ago(300))).startedIds).toEqual([])
    for (const minutes of [200, 190, 180, 170, 160, 150, 141])
      expect((await evaluateAt(ago(minutes))).startedIds, String(minutes)).toEqual([])
    expect((await evaluateAt(ago(140))).startedIds).toHaveLength(1)
  })

  test('incidents of one rule and subject begin ten times a day at most', async () => {
    await createRule(admin.session, { threshold: 1 })
    let startedCount = 0
    for (let n = 0; n < maxAlertsPerDay + 3; n += 1) {
      await arrive(ago(1000 - 20 * n))
      startedCount += (await evaluate(ago(1000 - 20 * n - 10))).startedIds.length
      await arrive(ago(1000 - 20 * n - 11))
      await evaluate(ago(1000 - 20 * n - 11))
    }
    expect(startedCount).toBe(maxAlertsPerDay)
  })

  test('messages about alerts are in the language of their person, with the numbers of the rule', async () => {
    await query(`update users set language = 'en' where id = $1`, [aziz.id])
    await createRule(aziz.session, {
      kind: 'metric',
      name: 'Few leads',
      metric: 'leads',
      period: 'today',
      condition: 'below',
      against: 'value',
      threshold: 1000.5,
    })
    await evaluate()
    expect(texts(await sendNotices())[0]).toMatch(
      /^Needs attention\n• Few leads: leads today: \d+, bound 1,000.50\n/,
    )
  })
})

test('a search of the inbox matches the name of the rule', async () => {
  await arrive(ago(61))
  await createRule(admin.session, { name: 'Quiet 100% stream' })
  await evaluate()
  const search = async (text: string) =>
    (await call('GET', `/api/inbox/?search=${encodeURIComponent(text)}`)).json<{
      items: { rule: { name: string } }[]
      meta: { total: number; filtered_total: number }
    }>()
  expect((await search('quiet 100%')).items).toMatchObject([{ rule: { name: 'Quiet 100% stream' } }])
  const { items, meta } = await search('100_ stream')
  expect(items).toEqual([])
  expect(meta).toMatchObject({ total: 1, filtered_total: 0 })
})

describe('Alerts that a person turns off', () => {
  test('a muted chat, a person who chose no alerts and an unlinked chat get no message, and the inbox has the alert', async () => {
    await arrive(ago(61))
    await createRule(admin.session, {})
    await call('PUT', '/parcel/auth/telegram/', { alerts: false })
    await evaluate()
    expect(await query('select from notices')).toEqual([])
    expect((await readInbox(admin.session)).meta.unread).toBe(1)
    await call('PUT', '/parcel/auth/telegram/', { alerts: true, mute: 'hour' })
    await query('delete from alert_incidents')
    await evaluate()
    expect(await query('select from notices')).toEqual([])
    await call('PUT', '/parcel/auth/telegram/', { mute: 'off' })
    await query('delete from alert_incidents')
    await evaluate()
    await call('PUT', '/parcel/auth/telegram/', { mute: 'always' })
    expect(await sendNotices()).toEqual([])
  })

  test('a snoozed alert does not count as unread, and its end and its next begin are not reported during the snooze', async () => {
    await arrive(ago(61))
    await createRule(admin.session, {})
    await evaluate()
    await sendNotices()
    const [alert] = (await readInbox(admin.session)).items
    const url = `/api/inbox/${alert?.id}/snooze/`
    const until = (await call('PUT', url, { until: 'hour' })).json<{ snoozed_until: string }>().snoozed_until
    expect(Date.parse(until)).toBeGreaterThan(Date.parse(ago(-55)))
    expect((await readInbox(admin.session)).meta.unread).toBe(0)
    await arrive(ago(0))
    await evaluate()
    await query('delete from stream_arrivals')
    await arrive(ago(70))
    expect((await evaluate()).startedIds).toHaveLength(1)
    expect(await sendNotices()).toEqual([])
    expect((await call('GET', '/api/inbox/unread/')).json()).toEqual({ unread: 0 })
    await query(`update alert_receivers set snoozed_until = now() - interval '1 second'`)
    expect((await call('GET', '/api/inbox/unread/')).json()).toEqual({ unread: 2 })
    expect((await call('POST', '/api/inbox/read/', { ids: [alert?.id] })).json()).toEqual({ unread: 1 })
    expect((await call('POST', '/api/inbox/read/', {})).json()).toEqual({ unread: 0 })
  })

  test('alerts of a rule that a person mutes reach neither the chat nor the inbox of the person, and other people still get them', async () => {
    await arrive(ago(61))
    const [buyers] = await query(`select id from roles where code = 'buyer'`)
    const { id } = await createRule(admin.session, { receiver_role_ids: [Number(buyers?.id)] })
    expect((await call('PUT', `/api/alert-rules/${id}/mute/`, { muted: true })).json()).toEqual({
      id,
      muted: true,
    })
    await evaluate()
    expect((await sendNotices()).map(({ chat }) => chat).toSorted()).toEqual(['501', '502'])
    expect((await readInbox(admin.session)).items).toEqual([])
    expect((await readInbox(aziz.session)).items).toHaveLength(1)
    await call('PUT', `/api/alert-rules/${id}/mute/`, { muted: true }, aziz.session)
    await arrive(ago(0))
    await evaluate()
    expect((await sendNotices()).map(({ chat }) => chat)).toEqual(['502'])
  })
})
