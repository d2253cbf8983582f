import { createStreams, ScriptedStore } from '@karvon/testkit/fakes/network.store.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { listLedgerDifferences } from '../../test/ledger-differences.ts'
import { buildLead } from '../../test/lead-database.ts'
import { day, runStart } from '../../test/moment.ts'
import {
  buildFastMapping,
  createRandom,
  descriptionWithFilter,
  listOrders,
  openNetworks,
  type TestNetworkAccount,
} from '../../test/networks.ts'
import { buildParcelEvent } from '../../test/parcel.ts'
import { ingestLeads } from '../domains/leads/leads.ingest.ts'
import { ingestParcels } from '../domains/parcels/parcels.ingest.ts'

const open = () => openNetworks(['odd', '100k', 'sotuvchi'])
let fixture: Awaited<ReturnType<typeof open>>
let account: TestNetworkAccount

beforeEach(async () => {
  fixture = await open()
  await fixture.create('/api/admin/connectors/', {
    code: 'odd',
    name: 'Odd',
    description: descriptionWithFilter,
  })
})
afterEach(() => fixture.close())

/** Creates an account whose CPA credential overrides the description by `mapping`, and runs its syncs. */
async function syncWith(mapping: object): Promise<void> {
  account = await fixture.createAccount('First', 'odd', { ...buildFastMapping(fixture.fakes[0]), ...mapping })
  for (let runs = 0; runs < 3; runs += 1)
    expect(await fixture.runSync(account)).toMatchObject({ status: 'done' })
}

/** Removes the overrides. */
async function correctMapping(): Promise<void> {
  const path = `/api/admin/cpa-websites/${account.website}/`
  const mapping = buildFastMapping(fixture.fakes[0])
  const answer = await callApi(fixture.product.app, fixture.admin, 'PUT', path, { mapping })
  expect(answer.statusCode, answer.body).toBe(200)
}

const listExpectedLeads = () => listOrders(fixture.fakes[0], (id, word) => `D-${id} ${word.toUpperCase()}`)
const listIds = async (condition: string) => {
  const text = `select external_id as id from leads where source_id = $1 and ${condition} order by id`
  const { rows } = await fixture.product.deps.pool.query<{ id: string }>(text, [account.source])
  return rows.map(({ id }) => id)
}
const listCurrencies = async () => {
  const text = 'select distinct currency from leads where source_id = $1'
  return (await fixture.product.deps.pool.query<{ currency: string }>(text, [account.source])).rows
}

test('a corrected unit and currency of the money of a network apply to the stored leads', async () => {
  await syncWith({ money: { divisor: 1, currency: 'USD' } })
  expect(await fixture.listLeads(account)).not.toEqual(listExpectedLeads())
  await correctMapping()
  expect(await fixture.runSync(account)).toMatchObject({ status: 'done' })
  expect(await fixture.listLeads(account)).toEqual(listExpectedLeads())
  expect(await listCurrencies()).toEqual([{ currency: 'UZS' }])
  const { counts } = await fixture.runSync(account, true)
  expect([counts['updated'], counts['late_changes']], 'a repeat changes nothing').toEqual([0, 0])
})

test('money of a postback and the outcome of a parcel stay when the money of a network is corrected', async () => {
  await syncWith({ money: { divisor: 1, currency: 'UZS' } })
  const before = await fixture.listLeads(account)
  const [posted = '', delivered = ''] = await listIds("source_status = 'SENT'")
  const { db } = fixture.product.deps
  const lead = { source_status: 'SENT', payout: '7.25', updated_at: new Date(runStart).toISOString() }
  await ingestLeads(db, { sourceId: account.source, leads: [buildLead(posted, lead)], origin: 'postback' })
  const eventtime = new Date(runStart).toISOString()
  await ingestParcels(db, [buildParcelEvent(delivered, 'COMPLETE', { eventtime })])
  await correctMapping()
  for (let runs = 0; runs < 2; runs += 1)
    expect(await fixture.runSync(account)).toMatchObject({ status: 'done' })
  const after = await fixture.listLeads(account)
  expect(after).not.toEqual(before)
  const expected = listExpectedLeads().map((line) =>
    line.startsWith(`${posted} `) ? line.replace(/ \d+\.\d\d .*/, '') : line,
  )
  expect(after.map((line) => (line.startsWith(`${posted} `) ? line.replace(/ 7\.25 .*/, '') : line))).toEqual(
    expected,
  )
  expect(await listIds('is_status_overridden')).toEqual([delivered])
})

test('a corrected description reads the orders that could not be read before', async () => {
  const [network] = fixture.fakes
  // With the name of a stream as currency, only the orders of the first stream can be read.
  network.store = new ScriptedStore(createStreams(50, ['UZS', 'TikTok']), createRandom(7))
  for (const days of [90, 30]) {
    network.store.addOrders(100, runStart - days * day)
    network.store.settleOrders(runStart - (days - 10) * day)
  }
  await syncWith({ orders: { fields: { currency: 'flow.name' } } })
  const readCount = (await fixture.listLeads(account)).length
  expect([readCount > 0, readCount < 200]).toEqual([true, true])
  await correctMapping()
  expect(await fixture.runSync(account)).toMatchObject({ status: 'done' })
  expect(await fixture.listLeads(account)).toEqual(listExpectedLeads())
})

test.each([
  ['100k', 1],
  ['sotuvchi', 2],
] as const)('a corrected time zone of %s applies to the stored leads', async (connector, at) => {
  const network = fixture.fakes[at]
  const mapping = buildFastMapping(network)
  account = await fixture.createAccount('Zone', connector, { ...mapping, time: { zone: 'UTC' } })
  for (let runs = 0; runs < 3; runs += 1)
    expect(await fixture.runSync(account)).toMatchObject({ status: 'done' })
  expect(await fixture.listLeads(account)).not.toEqual(listOrders(network))
  const path = `/api/admin/cpa-websites/${account.website}/`
  const answer = await callApi(fixture.product.app, fixture.admin, 'PUT', path, { mapping })
  expect(answer.statusCode, answer.body).toBe(200)
  expect(await fixture.runSync(account)).toMatchObject({ status: 'done' })
  expect(await fixture.listLeads(account)).toEqual(listOrders(network))
})

test('entries without ids of a network are not stored twice when its money is corrected', async () => {
  const { store, url } = fixture.fakes[1]
  store.settleOrders(runStart - 10 * day)
  store.withdraw(255_000, runStart - 5 * day)
  store.withdraw(125_000, runStart - 4 * day)
  const fields = { extra_id: null }
  const mapping = {
    base_url: url,
    limits: { page_delay_ms: 0 },
    transactions: { fields },
    withdrawals: { fields },
  }
  const { pool } = fixture.product.deps
  const readSums = async () => {
    const text = `select kind, currency, count(*), sum(amount)::text from network_transactions where source_id = $1
      group by kind, currency order by kind`
    return (await pool.query(text, [account.source])).rows
  }
  const readPaid = async () => {
    const path = `/api/admin/network-money/?source_id=${account.source}`
    const answer = await callApi(fixture.product.app, fixture.admin, 'GET', path)
    return answer.json<{ items: { paid_out: number }[] }>().items.map(({ paid_out }) => paid_out)
  }
  account = await fixture.createAccount('Right', '100k', mapping)
  await fixture.runSync(account)
  const expectedSums = await readSums()
  expect(expectedSums).toMatchObject([
    { kind: 'transaction' },
    { kind: 'withdrawal', count: 2, sum: '3800.00' },
  ])

  account = await fixture.createAccount('Wrong', '100k', { ...mapping, money: { divisor: 10 } })
  for (let runs = 0; runs < 2; runs += 1) await fixture.runSync(account)
  expect(await readPaid()).toEqual([380])
  const path = `/api/admin/cpa-websites/${account.website}/`
  const answer = await callApi(fixture.product.app, fixture.admin, 'PUT', path, { mapping })
  expect(answer.statusCode, answer.body).toBe(200)
  for (let runs = 0; runs < 2; runs += 1) await fixture.runSync(account)
  expect(await readSums()).toEqual(expectedSums)
  expect(await readPaid()).toEqual([3800])
  expect(await listLedgerDifferences(pool)).toEqual([])
})
