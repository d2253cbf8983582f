import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import type { NetworkSyncContext } from './connectors.context.ts'
import { ingestOrders } from './connectors.orders.ts'
import type { NetworkOrder } from './connectors.parse.ts'

let intake: LeadDatabase

beforeAll(async () => {
  intake = await openLeadDatabase()
})
afterAll(() => intake.close())

const order: NetworkOrder = {
  external_id: 'A',
  status: 'sold',
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-22T10:00:00Z',
  payout: null,
  currency: null,
  offer: null,
  offer_extra_id: null,
  stream: null,
  stream_extra_id: null,
  comment: null,
  region: null,
  cancel_reason: null,
}

test.each([
  ['with update times', { updated_at: 'changed' }],
  ['without update times', {}],
])('an order without a payout, of a network %s, keeps the payout of its lead', async (_what, fields) => {
  const source = await intake.newSource()
  const context = {
    deps: { db: intake.db, config: { currency: 'UZS' } },
    credential: { id: 1, name: 'Account', source_id: source, user_id: 1 },
    description: { orders: { fields: { external_id: 'id', stream: 'stream', ...fields } } },
    run: { store: (work: Parameters<typeof inTransaction>[1]) => inTransaction(intake.db, work) },
  } as unknown as NetworkSyncContext
  const lead = buildLead('A', { source_status: 'accepted', payout: '40000.50', currency: 'USD' })
  await ingestLeads(intake.db, { sourceId: source, leads: [lead], origin: 'postback' })
  const requestedAt = new Date('2026-11-23T10:00:00Z')
  await ingestOrders(context, { orders: [order, { ...order, external_id: 'B' }], requestedAt })
  expect(await intake.storedLeads(source)).toMatchObject([
    { external_id: 'A', source_status: 'sold', payout: '40000.50', currency: 'USD' },
    { external_id: 'B', source_status: 'sold', payout: '0.00', currency: 'UZS' },
  ])
  const updated_at = '2026-11-24T10:00:00Z'
  const orders = [{ ...order, payout: '7.00', updated_at }]
  await ingestOrders(context, { orders, requestedAt: new Date(updated_at) })
  expect(await intake.storedLeads(source)).toMatchObject([{ payout: '7.00', currency: 'UZS' }, {}])
})

test('a change of the currency or of a text of an order without an update time is stored', async () => {
  const source = await intake.newSource()
  const fields = { external_id: 'id', stream: 'stream', currency: 'currency' }
  const context = {
    deps: { db: intake.db, config: { currency: 'UZS' } },
    credential: { id: 1, name: 'Account', source_id: source, user_id: 1 },
    description: { orders: { fields } },
    run: { store: (work: Parameters<typeof inTransaction>[1]) => inTransaction(intake.db, work) },
  } as unknown as NetworkSyncContext
  const read = async (hour: number, values: Partial<NetworkOrder>) => {
    const orders = [{ ...order, updated_at: null, payout: '7.00', ...values }]
    const requestedAt = new Date(`2026-11-23T${hour}:00:00Z`)
    const { counts } = await ingestOrders(context, { orders, requestedAt })
    const text = 'select currency, comment, region, cancel_reason from leads where source_id = $1'
    return [counts.updated, (await intake.pool.query(text, [source])).rows[0]]
  }
  await read(10, {})
  const changes = { currency: 'USD', comment: 'Call later', region: 'Tashkent', cancel_reason: 'Dear' }
  expect(await read(11, changes)).toMatchObject([1, changes])
  expect(await read(12, changes)).toMatchObject([0, changes])
  // What the network leaves out stays.
  expect(await read(13, {})).toMatchObject([0, changes])
  expect(await read(14, { ...changes, comment: 'Sold' })).toMatchObject([1, { comment: 'Sold' }])
})
