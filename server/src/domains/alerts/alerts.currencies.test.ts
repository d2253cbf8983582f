import { afterAll, beforeEach, expect, test } from 'vitest'
import { createAlertFixture } from '../../../test/alerts.ts'
import { callApi, type Session } from '../../../test/app.ts'
import { buildLead } from '../../../test/lead-database.ts'
import { ensureConnectors } from '../connectors/connectors.start.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { seedDefaultMappings } from '../leads/leads.default-mappings.ts'
import { composeAlertNotice } from './alerts.message.ts'

const fixture = await createAlertFixture()
const { product, people, query, source, createRule, evaluate, switchOn } = fixture
const { admin, vali } = people
const { db } = product.deps
afterAll(fixture.close)
beforeEach(fixture.resetAlerts)

const insert = async (text: string, values: unknown[]): Promise<number> =>
  Number((await query(`insert into ${text} returning id`, values))[0]?.id)
await query('update streams set user_id = null where user_id = $1', [vali.id])
const dollars = await insert(`cpa_sources (name, url) values ('Dollars', 'https://usd.example')`, [])
const stream_id = await insert(`streams (name, source_id, user_id) values ('Own', $1, $2)`, [
  dollars,
  vali.id,
])
await seedDefaultMappings(db, dollars)
const lead = buildLead('Sold', { source_status: 'sold', payout: '1500.5', currency: 'USD', stream_id })
// The fixture has sold leads in UZS.
await ingestLeads(db, { sourceId: dollars, leads: [lead], origin: 'file' })

/** The lines of the message of the last notice, without the heading. */
async function readLines(language: 'ru' | 'uz' | 'en' = 'en'): Promise<string[]> {
  const [notice] = await query('select max(id) as id from notices')
  const options = { language, currency: 'UZS', alertsUrl: null }
  const message = await composeAlertNotice(db, Number(notice?.id), options)
  return typeof message === 'string' ? [message] : message.text.split('\n').slice(1)
}

/** The currencies of each alert in the inbox of a person, by the name of its subject. */
const readInboxCurrencies = async (session: Session) =>
  Object.fromEntries(
    (await fixture.readInbox(session)).items.map(({ subject, currencies }) => [subject.name, currencies]),
  )

test('a rule about money names the currencies of the leads that it counts, unless all are that of the installation', async () => {
  const rule = { kind: 'metric', period: 'all', condition: 'above', against: 'value', threshold: 100 }
  for (const [name, body] of Object.entries({
    All: { metric: 'profit' },
    Average: { metric: 'average_payout' },
    Main: { metric: 'profit', source_ids: [source] },
    Source: { metric: 'profit', source_ids: [dollars] },
    Stream: { metric: 'profit', stream_ids: [stream_id] },
    Buyer: { metric: 'profit', buyer_ids: [vali.id] },
    Count: { metric: 'sold', threshold: 0 },
  }))
    await createRule(admin.session, { ...rule, name, ...body })
  await evaluate()
  expect(await readLines()).toEqual([
    '• All: profit, USD + UZS in all time: 3,500.50, bound 100',
    '• Average: average payout, USD + UZS in all time: 1,750.25, bound 100',
    '• Main: profit in all time: 2,000, bound 100',
    '• Source: profit, USD in all time: 1,500.50, bound 100',
    '• Stream: profit, USD in all time: 1,500.50, bound 100',
    '• Buyer: profit, USD in all time: 1,500.50, bound 100',
    '• Count: sold in all time: 2, bound 0',
  ])
  const both = ['USD', 'UZS']
  expect(await readInboxCurrencies(admin.session)).toEqual({
    All: both,
    Average: both,
    Main: ['UZS'],
    Source: ['USD'],
    Stream: ['USD'],
    Buyer: ['USD'],
    Count: [],
  })
  expect((await readLines('ru'))[0]).toBe('• All: прибыль, USD + UZS за всё время: 3\u00A0500,50, порог 100')
  expect((await readLines('uz'))[0]).toBe('• All: foyda, USD + UZS butun davrda: 3\u00A0500,50, chegara 100')
})

test('a rule of a buyer names the currencies of own leads alone', async () => {
  await query(
    `insert into role_source_access (role_id, source_id) select role_id, $1 from users where id = $2
     on conflict do nothing`,
    [dollars, vali.id],
  )
  const rule = { metric: 'profit', period: 'all', condition: 'above', against: 'value', threshold: 100 }
  await createRule(vali.session, { kind: 'metric', name: 'Mine', ...rule })
  await evaluate()
  expect(await readLines()).toEqual(['• Mine: profit, USD in all time: 1,500.50, bound 100'])
  expect(await readInboxCurrencies(vali.session)).toEqual({ Mine: ['USD'] })
})

test('a difference of money is in the currency of its account at the network', async () => {
  await ensureConnectors(db)
  await query(
    `insert into cpa_websites (name, cpa_source_id, connector, mapping) values ('W', $1, '100k', $2)`,
    [dollars, JSON.stringify({ money: { currency: 'USD' } })],
  )
  const credential = await insert(
    `source_credentials (name, user_id, source_id) values ('Account', $1, $2)`,
    [vali.id, dollars],
  )
  await query(
    `insert into sync_states (source_credential_id, balance, hold, money_at) values ($1, 2000000, 0, now())
     on conflict (source_credential_id) do update set balance = 2000000, hold = 0, money_at = now()`,
    [credential],
  )
  await switchOn('money_difference')
  await evaluate()
  expect(await readLines()).toEqual(['• Account Account: difference 1,998,499.50 USD'])
  expect(await readInboxCurrencies(admin.session)).toEqual({ Account: ['USD'] })
})

test('an amount names the currencies that Explore names for the same filters, also for leads without a stream or a buyer', async () => {
  const withoutStream = buildLead('No stream', { source_status: 'sold', payout: '7', currency: 'EUR' })
  await ingestLeads(db, { sourceId: dollars, leads: [withoutStream], origin: 'file' })
  const filters = [
    { stream: 0 },
    { stream: [0, stream_id] },
    { buyer: 0 },
    { buyer: [0, vali.id] },
    { source: dollars, buyer: 0 },
    { source: [source, dollars], stream: 0 },
  ]
  const expected: Record<string, string[]> = {}
  for (const [n, filter] of filters.entries()) {
    const query = Object.entries(filter).map(([key, ids]) => `${key}=${[ids].flat().join(',')}`)
    const url = `/api/admin/explore?rows=source&metrics=profit&period=all&${query.join('&')}`
    const { meta } = (await callApi(product.app, admin.session, 'GET', url)).json<{
      meta: { currencies: string[] }
    }>()
    expected[`Rule ${n}`] = meta.currencies
    const ids = Object.entries(filter).map(([key, value]) => [`${key}_ids`, [value].flat()])
    await createRule(admin.session, {
      kind: 'metric',
      name: `Rule ${n}`,
      metric: 'hold_amount',
      period: 'all',
      condition: 'below',
      against: 'value',
      threshold: 1,
      ...(Object.fromEntries(ids) as object),
    })
  }
  await evaluate()
  expect(expected['Rule 0']).toContain('EUR')
  expect(await readInboxCurrencies(admin.session)).toEqual(expected)
})
