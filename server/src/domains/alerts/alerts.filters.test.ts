import {
  alertFilters,
  alertPeriods,
  refusedAlertFilters,
  type AlertRule,
} from '@karvon/contract/alerts/rules.ts'
import { dimensionNames } from '@karvon/contract/explore/explore.dimensions.ts'
import type { ExploreAnswer } from '@karvon/contract/explore/explore.ts'
import { periodNames } from '@karvon/contract/lib/period-names.ts'
import { maxFilterValues, maxId } from '@karvon/contract/lib/limits.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createAlertFixture } from '../../../test/alerts.ts'
import { callApi } from '../../../test/app.ts'
import { buildLead } from '../../../test/lead-database.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { readMetrics } from './alerts.metric.queries.ts'

const fixture = await createAlertFixture()
const { product, people, query, source, createRule, evaluate, arrive, ago } = fixture
const { admin, aziz, vali } = people
const { app, deps } = product
afterAll(fixture.close)
beforeEach(fixture.resetAlerts)

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object, as = admin.session) =>
  callApi(app, as, method, url, body)
const create = (body: object, as = admin.session) =>
  call('POST', '/api/alert-rules/', { kind: 'silence', name: 'Quiet', threshold: 60, ...body }, as)
const readNumber = async (text: string, values: unknown[] = []) =>
  Number(Object.values((await query(text, values))[0] ?? {})[0])
const figure = { kind: 'metric', metric: 'leads', condition: 'above', against: 'value', threshold: 0 }
const readValue = async (id: number) => {
  const [row] = await query('select now()::text as at')
  const values = await readMetrics(deps.db, { at: String(row?.at), ruleIds: [id] })
  return Number(values[0]?.value)
}

/** Leads of many days with offers and streams of two buyers and of nobody, and leads without an offer or a stream. */
const otherSource = Number(
  (await query(`insert into cpa_sources (name, url) values ('Two', 'https://two.example') returning id`))[0]
    ?.id,
)
const ages = [0, 0.5, 1, 3, 8, 20, 40, 80, 200, 400, 900]
for (const [n, stream] of ['Alpha', 'Beta', 'Gamma', null].entries())
  for (const from of [source, otherSource])
    await ingestLeads(deps.db, {
      sourceId: from,
      origin: 'file',
      leads: ages.map((age) =>
        buildLead(`${n}-${age}`, {
          stream: stream === null ? null : `${stream} ${from}`,
          offer: n % 2 === 0 ? `Offer ${from}` : null,
          created_at: ago(age * 24 * 60),
        }),
      ),
    })
const findId = (table: string, name: string) => readNumber(`select id from ${table} where name = $1`, [name])
const streams = {
  alpha: await findId('streams', `Alpha ${source}`),
  beta: await findId('streams', `Beta ${otherSource}`),
  gamma: await findId('streams', `Gamma ${source}`),
}
await query('update streams set user_id = $1 where id = $2', [aziz.id, streams.alpha])
await query('update streams set user_id = $1 where id = $2', [vali.id, streams.beta])
const offer = await findId('offers', `Offer ${otherSource}`)

/** The leads of Explore for each of some filters, added up. */
async function addExplore(filters: readonly string[], period: string, scope = 'admin'): Promise<number> {
  const session = scope === 'admin' ? admin.session : aziz.session
  let sum = 0
  for (const filter of filters) {
    const url = `/api/${scope}/explore?rows=source&metrics=leads&period=${period}${filter}`
    sum += (await call('GET', url, undefined, session)).json<ExploreAnswer>().totals.metrics['leads'] ?? 0
  }
  return sum
}

describe('Filters of alert rules', () => {
  test('alert rules have each period of Explore, and each filter of Explore is a filter of rules or is refused', () => {
    expect(alertPeriods).toEqual(periodNames)
    expect([...alertFilters, ...refusedAlertFilters].toSorted()).toEqual(dimensionNames.toSorted())
  })

  test('a rule of each period has the value of Explore', async () => {
    for (const period of periodNames) {
      const { id } = await createRule(admin.session, { ...figure, name: period, period })
      expect(await readValue(id), period).toBe(await addExplore([''], period))
      const ownRule = await createRule(aziz.session, { ...figure, name: period, period })
      expect(await readValue(ownRule.id), `own ${period}`).toBe(await addExplore([''], period, 'user'))
    }
  })

  test('several values of a filter add up, and id 0 is the leads without one', async () => {
    const { alpha, beta, gamma } = streams
    const cases: [object, string[]][] = [
      [{ source_ids: [source, otherSource] }, [`&source=${source}`, `&source=${otherSource}`]],
      [{ offer_ids: [0, offer] }, ['&offer=0', `&offer=${offer}`]],
      [
        { stream_ids: [0, alpha, beta, gamma] },
        ['&stream=0', ...[alpha, beta, gamma].map((id) => `&stream=${id}`)],
      ],
      [{ buyer_ids: [0, aziz.id, vali.id] }, ['&buyer=0', `&buyer=${aziz.id}`, `&buyer=${vali.id}`]],
      [
        { buyer_ids: [aziz.id, vali.id], source_ids: [otherSource], offer_ids: [0] },
        [aziz.id, vali.id].map((id) => `&buyer=${id}&source=${otherSource}&offer=0`),
      ],
      [{ stream_ids: [alpha, beta], buyer_ids: [vali.id] }, [`&stream=${beta}&buyer=${vali.id}`]],
    ]
    for (const [filters, parts] of cases) {
      const { id } = await createRule(admin.session, { ...figure, period: 'all', ...filters })
      const expected = await addExplore(parts, 'all')
      expect(expected).toBeGreaterThan(0)
      expect(await readValue(id), JSON.stringify(filters)).toBe(expected)
    }
  })

  test('a filter that needs the leads is refused by its name, on create and on change', async () => {
    const { id } = await createRule(admin.session, {})
    for (const name of refusedAlertFilters) {
      const refusal = { errors: [{ field: name, code: 'filter_not_in_rules', params: { label: name } }] }
      expect((await create({ [name]: '1' })).json()).toMatchObject(refusal)
      expect((await call('PUT', `/api/alert-rules/${id}/`, { [name]: 1 })).json()).toMatchObject(refusal)
    }
  })

  test('a filter of a rule that is too long, repeats an id or has no ids is refused', async () => {
    const tooLong = Array.from({ length: maxFilterValues + 1 }, (_, n) => n + 1)
    for (const list of [tooLong, [source, source], [-1], [1.5], ['x'], [maxId + 2], [null], 'all', { 0: 1 }])
      for (const name of ['source_ids', 'offer_ids', 'stream_ids', 'buyer_ids'])
        expect((await create({ [name]: list })).statusCode, `${name} ${JSON.stringify(list)}`).toBe(422)
    expect((await create({ stream_ids: [maxId] })).json()).toMatchObject({
      errors: [{ field: 'stream_ids', code: 'reference_missing' }],
    })
  })

  test('a rule of silence with several values ends with a lead of any of them', async () => {
    const { alpha, beta, gamma } = streams
    await createRule(admin.session, { stream_ids: [alpha, beta] })
    await createRule(admin.session, { name: 'Buyers', buyer_ids: [aziz.id, vali.id] })
    await query(`update alert_rules set started_at = now() - interval '2 hours' where owner_id is not null`)
    await arrive(ago(1), { stream: gamma })
    expect((await evaluate()).startedIds).toHaveLength(2)
    await arrive(ago(1), { stream: beta })
    expect((await evaluate()).endedIds).toHaveLength(2)
  })

  test('a changed rule of silence awaits its first lead from the change, as a new rule does, and counts from a known last lead', async () => {
    const { alpha, beta, gamma } = streams
    const { id } = await createRule(admin.session, { stream_ids: [alpha] })
    await query(`update alert_rules set created_at = $1, started_at = $1 where id = $2`, [ago(30 * 1440), id])
    await query(`update streams set created_at = $1`, [ago(40 * 1440)])
    const change = async (body: object) => {
      expect((await call('PUT', `/api/alert-rules/${id}/`, body)).statusCode).toBe(200)
      await query(`update alert_rules set next_at = '-infinity' where id = $1`, [id])
      return (await evaluate()).startedIds.length
    }
    expect((await evaluate()).startedIds).toHaveLength(1)
    for (const stream_ids of [[beta], [beta, 0], [alpha]]) expect(await change({ stream_ids })).toBe(0)
    expect((await evaluate(ago(-59))).startedIds).toEqual([])
    await createRule(admin.session, { name: 'New', stream_ids: [alpha] })
    expect((await evaluate(ago(-61))).startedIds).toHaveLength(2)
    expect(await change({ is_active: false })).toBe(0)
    expect(await change({ is_active: true })).toBe(0)
    await arrive(ago(90), { stream: gamma })
    expect(await change({ stream_ids: [gamma] })).toBe(1)
  })

  test('a deleted row is removed from the rules that name it, and a rule that names no other row is deleted', async () => {
    const createdStream = await readNumber(
      `insert into streams (name, source_id) values ('Short-lived', $1) returning id`,
      [source],
    )
    const alone = await createRule(admin.session, { stream_ids: [createdStream] })
    const streamsRule = await createRule(admin.session, { stream_ids: [createdStream, streams.alpha] })
    expect((await call('DELETE', `/api/admin/streams/${createdStream}`)).statusCode).toBeLessThan(300)
    expect(
      await query('select id, stream_ids from alert_rules where id = any($1)', [[alone.id, streamsRule.id]]),
    ).toEqual([{ id: streamsRule.id, stream_ids: [streams.alpha] }])
  })

  test('a row that the owner of a rule may not see keeps its id in the rule and has no name', async () => {
    const { id } = await createRule(aziz.session, { stream_ids: [streams.alpha] })
    await query('update streams set user_id = $1 where id = $2', [vali.id, streams.alpha])
    const { items } = (await call('GET', '/api/alert-rules/', undefined, aziz.session)).json<{
      items: AlertRule[]
    }>()
    expect(items.find((rule) => rule.id === id)?.streams).toEqual([{ id: streams.alpha, name: null }])
    expect((await evaluate()).startedIds).toEqual([])
    await query('update streams set user_id = $1 where id = $2', [aziz.id, streams.alpha])
  })

  test('a person renames a rule and switches it off after losing what it reads, and names nothing hidden', async () => {
    const { id } = await createRule(aziz.session, { stream_ids: [streams.alpha] })
    await query('update streams set user_id = $1 where id = $2', [vali.id, streams.alpha])
    const update = (body: object) => call('PUT', `/api/alert-rules/${id}/`, body, aziz.session)
    const body = { name: 'Former', is_active: false, stream_ids: [streams.alpha] }
    const answer = await update(body)
    expect(answer.json(), answer.body).toMatchObject({ name: 'Former', is_active: false })
    expect((await update({ stream_ids: [streams.alpha, streams.beta] })).json()).toMatchObject({
      errors: [{ field: 'stream_ids', code: 'reference_missing' }],
    })
    await query('update streams set user_id = $1 where id = $2', [aziz.id, streams.alpha])
  })

  test('an admin names in the rule of a person only what the person may name, or the rule would find nothing', async () => {
    const { id } = await createRule(aziz.session, {})
    const update = (body: object) => call('PUT', `/api/alert-rules/${id}/`, body)
    for (const body of [{ stream_ids: [streams.alpha, streams.beta] }, { receiver_role_ids: [1] }])
      expect((await update(body)).json(), JSON.stringify(body)).toMatchObject({
        errors: [{ field: Object.keys(body)[0], code: 'reference_missing' }],
      })
    expect((await update({ stream_ids: [streams.alpha] })).statusCode).toBe(200)
  })

  test('a rule is saved as it is read after a role that it names was deleted', async () => {
    const createRole = async (code: string) =>
      (await call('POST', '/api/admin/roles/', { code, name: code })).json<{ id: number }>().id
    const [formerRole, role] = [await createRole('former'), await createRole('other')]
    const { id } = await createRule(admin.session, { receiver_role_ids: [formerRole, role] })
    expect((await call('DELETE', `/api/admin/roles/${formerRole}`)).statusCode).toBe(200)
    const { items } = (await call('GET', `/api/alert-rules/?id=${id}`)).json<{ items: AlertRule[] }>()
    expect(items).toMatchObject([{ receiver_role_ids: [role] }])
    const body = { name: 'Other', receiver_role_ids: items[0]?.receiver_role_ids }
    const answer = await call('PUT', `/api/alert-rules/${id}/`, body)
    expect(answer.json(), answer.body).toMatchObject({ name: 'Other', receiver_role_ids: [role] })
  })
})
