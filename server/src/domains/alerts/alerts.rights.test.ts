import { metricNames, type MetricName } from '@karvon/contract/explore/explore.metrics.ts'
import type { AlertRule } from '@karvon/contract/alerts/rules.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import { maxAlertRules, maxOwnAlertRules, reservedAlertRules } from '@karvon/contract/lib/limits.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createAlertFixture } from '../../../test/alerts.ts'
import { callApi } from '../../../test/app.ts'

const fixture = await createAlertFixture()
const { product, people, query, source, evaluate, arrive, ago, createRule, sendNotices, readInbox } = fixture
const { admin, aziz, vali } = people
afterAll(fixture.close)
beforeEach(fixture.resetAlerts)

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object, as = aziz.session) =>
  callApi(product.app, as, method, url, body)
const create = (body: object, as = aziz.session) =>
  call('POST', '/api/alert-rules/', { kind: 'silence', name: 'Quiet', threshold: 60, ...body }, as)
const readNumber = async (text: string, values: unknown[] = []) =>
  Number(Object.values((await query(text, values))[0] ?? {})[0])
const findStream = (name: string) => readNumber('select id from streams where name = $1', [name])
const fewFields = {
  kind: 'metric',
  metric: 'leads',
  period: 'last_7_days',
  condition: 'above',
  against: 'value',
}
const listRules = async (as = aziz.session) =>
  (await call('GET', '/api/alert-rules/?per_page=200', undefined, as)).json<Page<AlertRule>>()

interface ExploreTotals {
  totals: { metrics: Partial<Record<MetricName, number | null>> }
}

describe('Rights of alert rules', () => {
  test('a person creates rules only about own streams at the sources of the role, and cannot name roles', async () => {
    const [ownStream, otherStream] = [await findStream('Reels'), await findStream('Another')]
    const hiddenSource = await readNumber(
      `insert into cpa_sources (name, url) values ('Hidden', 'https://hidden.example') returning id`,
    )
    expect(
      (await create({ stream_ids: [ownStream], source_ids: [source], buyer_ids: [aziz.id], offer_ids: [0] }))
        .statusCode,
    ).toBe(201)
    for (const body of [
      { stream_ids: [ownStream, otherStream] },
      { source_ids: [hiddenSource] },
      { buyer_ids: [aziz.id, vali.id] },
      { offer_ids: [999] },
      { stream_ids: [0] },
      { buyer_ids: [0] },
    ])
      expect((await create(body)).json(), JSON.stringify(body)).toMatchObject({
        errors: [{ field: Object.keys(body)[0], code: 'reference_missing' }],
      })
    expect((await create({ receiver_role_ids: [1] })).json()).toMatchObject({
      errors: [{ field: 'receiver_role_ids' }],
    })
    expect((await create({ receiver_role_ids: [999] }, admin.session)).statusCode).toBe(422)
    expect((await create({ source_ids: [hiddenSource] }, admin.session)).statusCode).toBe(201)
  })

  test('a rule of a figure has its metric, period, condition and base, and a rule of silence has none of them', async () => {
    expect((await create({ ...fewFields, metric: null, threshold: 1 })).json()).toMatchObject({
      errors: [{ field: 'metric', code: 'required' }],
    })
    expect((await create({ metric: 'leads' })).json()).toMatchObject({ errors: [{ field: 'metric' }] })
    expect((await create({ threshold: 0 })).json()).toMatchObject({ errors: [{ field: 'threshold' }] })
    expect((await create({ name: ' ' })).statusCode).toBe(422)
    expect((await create({ kind: 'sync_failing' })).statusCode).toBe(422)
  })

  test('a person sees, changes, mutes and deletes only own rules, and an admin all rules', async () => {
    const { id } = await createRule(vali.session, {})
    expect((await listRules()).items).toEqual([])
    for (const [method, url, body] of [
      ['PUT', `/api/alert-rules/${id}/`, { name: 'Mine' }],
      ['PUT', `/api/alert-rules/${id}/mute/`, { muted: true }],
      ['DELETE', `/api/alert-rules/${id}/`, undefined],
    ] as const)
      expect((await call(method, url, body)).statusCode, url).toBe(404)
    expect((await listRules(admin.session)).items.map(({ id }) => id)).toContain(id)
    expect((await call('PUT', `/api/alert-rules/${id}/`, { name: 'New' }, admin.session)).statusCode).toBe(
      200,
    )
    expect((await call('DELETE', `/api/alert-rules/${id}/`, undefined, vali.session)).statusCode).toBe(200)
  })

  test('an admin changes the threshold of a built-in rule and switches it off, but cannot rename or delete it', async () => {
    const id = await readNumber(`select id from alert_rules where kind = 'approve_drop'`)
    const url = `/api/alert-rules/${id}/`
    expect((await call('PUT', url, { threshold: 50 })).statusCode).toBe(404)
    expect((await call('PUT', url, { threshold: 50, is_active: true }, admin.session)).json()).toMatchObject({
      threshold: 50,
      is_active: true,
      owner: null,
      name: null,
    })
    expect((await call('PUT', url, { name: 'Mine' }, admin.session)).json()).toMatchObject({
      code: 'built_in_alert_rule',
    })
    expect((await call('DELETE', url, undefined, admin.session)).statusCode).toBe(409)
  })

  test('a change of a rule from an older version is a conflict', async () => {
    const { id, updated_at } = await createRule(aziz.session, {})
    const url = `/api/alert-rules/${id}/`
    // The next version is one microsecond newer.
    await query(`update alert_rules set updated_at = updated_at + interval '1 microsecond' where id = $1`, [
      id,
    ])
    expect((await call('PUT', url, { threshold: 62, updated_at })).statusCode).toBe(409)
    await query(`update alert_rules set updated_at = $2 where id = $1`, [id, updated_at])
    expect((await call('PUT', url, { threshold: 61, updated_at })).statusCode).toBe(200)
  })

  test('a changed rule starts again, and its open incident ends without a message', async () => {
    await arrive(ago(61), { stream: await findStream('Reels') })
    const { id } = await createRule(aziz.session, {})
    await evaluate()
    expect(await sendNotices()).toHaveLength(1)
    await call('PUT', `/api/alert-rules/${id}/`, { threshold: 120 })
    await evaluate()
    expect(await sendNotices()).toEqual([])
    expect((await readInbox(aziz.session)).items).toMatchObject([{ ended_at: expect.any(String) }])
  })

  const fill = (owner: number, n: number) =>
    query(
      `insert into alert_rules (kind, name, owner_id, threshold) select 'silence', 'Rule ' || n, $1, 60
         from generate_series(1, $2) n`,
      [owner, n],
    )

  test('an admin has a hundred alert rules at most, and all people a thousand', async () => {
    await fill(admin.id, maxOwnAlertRules - 1)
    expect((await create({}, admin.session)).statusCode).toBe(201)
    expect((await create({}, admin.session)).json()).toMatchObject({
      code: 'too_many_alert_rules',
      params: { max: 100 },
    })
    await query('delete from alert_rules where owner_id = $1', [admin.id])
    await fill(aziz.id, maxAlertRules - 1)
    expect((await create({}, admin.session)).statusCode).toBe(201)
    expect((await create({}, admin.session)).json()).toMatchObject({ params: { max: 1000 } })
  })

  test('a few people cannot use up the alert rules of all people', async () => {
    const greedyPeople = await query(
      `insert into users (username, name, email, password_hash, role_id)
       select 'greedy' || n, 'Greedy', 'greedy@desk.example', 'x', (select role_id from users where id = $1) from generate_series(1, 10) n
       returning id`,
      [vali.id],
    )
    // What the limit lets ten people have who go on as long as they can.
    for (const { id } of greedyPeople) await fill(Number(id), 45)
    await fill(vali.id, 45)
    expect((await create({}, vali.session)).json()).toMatchObject({ code: 'too_many_alert_rules' })
    expect((await create({}, aziz.session)).statusCode).toBe(201)
    await fill(admin.id, maxAlertRules - reservedAlertRules - 11 * 45 - 1)
    expect((await create({}, aziz.session)).json()).toMatchObject({ params: { max: 900 } })
    await query('update alert_rules set owner_id = $1 where owner_id = $2', [vali.id, admin.id])
    expect((await create({}, admin.session)).statusCode).toBe(201)
  })
})

describe('Rights of alerts', () => {
  test("a rule counts its owner's own leads at the sources of the role", async () => {
    const rule = (n: number) => ({ ...fewFields, name: `Above ${n}`, threshold: n - 0.5 })
    const ownCount = await readNumber(
      `select count(*) from leads l join streams s on s.id = l.stream_id
      where s.user_id = $1 and l.day > current_date - 7`,
      [aziz.id],
    )
    const allCount = await readNumber('select count(*) from leads where day > current_date - 7')
    expect(ownCount).toBeGreaterThan(0)
    expect(allCount).toBeGreaterThan(ownCount)
    for (const n of [ownCount, ownCount + 1]) await createRule(aziz.session, rule(n))
    for (const n of [allCount, allCount + 1]) await createRule(admin.session, rule(n))
    await createRule(admin.session, { ...rule(ownCount), name: 'Buyer', buyer_ids: [aziz.id] })
    await createRule(admin.session, { ...rule(ownCount + 1), name: 'Buyer too many', buyer_ids: [aziz.id] })
    await createRule(admin.session, {
      ...rule(ownCount),
      name: 'Stream',
      stream_ids: [await findStream('Reels')],
    })
    await createRule(admin.session, { ...rule(allCount), name: 'Source', source_ids: [source] })
    await evaluate()
    const names = async (of: typeof aziz) =>
      (await readInbox(of.session)).items
        .map(({ rule }) => rule.name ?? '')
        .toSorted((a, b) => a.localeCompare(b))
    expect(await names(aziz)).toEqual([`Above ${ownCount}`])
    expect(await names(admin)).toEqual([`Above ${allCount}`, 'Buyer', 'Source', 'Stream'])
    expect(await names(vali)).toEqual([])
  })

  test('the value of each metric is that of Explore for the same person, period and filters', async () => {
    for (const metric of metricNames)
      for (const [as, name] of [
        [aziz, 'own'],
        [admin, 'all'],
      ] as const)
        await createRule(as.session, {
          ...fewFields,
          metric,
          period: 'last_30_days',
          name: `${name} ${metric}`,
          threshold: 0,
        })
    await evaluate()
    for (const [as, path] of [
      [aziz, 'user'],
      [admin, 'admin'],
    ] as const) {
      const { items } = await readInbox(as.session)
      const values = new Map(items.map(({ rule, value }) => [rule.metric, value]))
      expect(values.size).toBeGreaterThan(5)
      for (const metric of metricNames) {
        const url = `/api/${path}/explore?rows=source&metrics=${metric}&period=last_30_days&source=${source}`
        const { totals } = (await call('GET', url, undefined, as.session)).json<ExploreTotals>()
        const value = totals.metrics[metric] ?? 0
        const expected = metric.endsWith('_rate') ? value * 100 : value
        expect(values.get(metric) ?? 0, `${path} ${metric}`).toBeCloseTo(expected, 1)
      }
    }
  })

  test('a person who loses the source, the stream or the account gets no alerts from that moment', async () => {
    const stream_id = await findStream('Reels')
    const losses: [string, string, unknown[]][] = [
      [
        'delete from role_source_access where source_id = $1',
        'insert into role_source_access (role_id, source_id) select id, $1 from roles where code = $$buyer$$',
        [source],
      ],
      [
        `update streams set user_id = ${vali.id} where id = $1`,
        `update streams set user_id = ${aziz.id} where id = $1`,
        [stream_id],
      ],
      [
        'update users set is_active = false where id = $1',
        'update users set is_active = true where id = $1',
        [aziz.id],
      ],
    ]
    for (const [lose, restore, values] of losses) {
      await fixture.resetAlerts()
      await arrive(ago(61), { stream: stream_id })
      await createRule(aziz.session, { stream_ids: [stream_id] })
      await evaluate()
      expect(await query('select from notices')).toHaveLength(1)
      await query(lose, values)
      expect(await sendNotices(), lose).toEqual([])
      if (!lose.includes('is_active')) expect((await readInbox(aziz.session)).items, lose).toEqual([])
      await evaluate()
      expect(await sendNotices(), lose).toEqual([])
      expect(await query('select from alert_incidents where ended_at is null'), lose).toEqual([])
      expect((await evaluate()).startedIds, lose).toEqual([])
      await query(restore, values)
    }
  })

  test('a role gets the alerts of a rule while the owner of the rule is an admin', async () => {
    const buyers = await readNumber(`select id from roles where code = 'buyer'`)
    await arrive(ago(61))
    await createRule(admin.session, { receiver_role_ids: [buyers] })
    await evaluate()
    expect((await readInbox(vali.session)).items).toHaveLength(1)
    await query('update users set role_id = $1 where id = $2', [buyers, admin.id])
    expect(await sendNotices()).toEqual([])
    expect((await readInbox(vali.session)).items).toEqual([])
    await query(`update users set role_id = (select id from roles where code = 'admin') where id = $1`, [
      admin.id,
    ])
  })

  test('a person cannot read or snooze an alert of another person', async () => {
    await arrive(ago(61), { stream: await findStream('Reels') })
    await createRule(aziz.session, {})
    await evaluate()
    const [alert] = (await readInbox(aziz.session)).items
    const url = `/api/inbox/${alert?.id}/snooze/`
    expect((await call('PUT', url, { until: 'hour' }, vali.session)).statusCode).toBe(404)
    await call('POST', '/api/inbox/read/', { ids: [alert?.id] }, vali.session)
    expect((await readInbox(aziz.session)).meta.unread).toBe(1)
  })
})
