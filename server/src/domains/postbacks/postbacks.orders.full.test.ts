import type { Page } from '@karvon/contract/lib/page.ts'
import type { Figures, GroupRow } from '@karvon/contract/reports/reports.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, type Session } from '../../../test/app.ts'
import { sendFile } from '../../../test/files.ts'
import { formatAmount, buildLeadsCsv, readOrders, type RealOrder } from '../../../test/olist.ts'
import { createUser, readOwnId } from '../../../test/people.ts'
import { openPostbacks, type Postbacks } from '../../../test/postbacks.ts'

// Enough for every source status and many sellers, and few enough for one request each.
const orders = readOrders().slice(0, 330)
const statusNames = {
  delivered: 'Sold',
  shipped: 'Sent',
  canceled: 'Rejected',
  unavailable: 'Rejected',
  invoiced: 'Accepted',
}
const sellers = [...new Set(orders.map(({ seller }) => seller))].filter((seller) => seller !== '')

let network: Postbacks
let buyer: Session
let byFile: number
let byPostback: number

beforeAll(async () => {
  network = await openPostbacks()
  const { app, deps } = network.product
  byFile = await newSource()
  byPostback = await newSource()
  const role = await network.admin<{ id: number }>('POST', '/api/admin/roles/', {
    name: 'Buyer',
    code: 'buyer',
    source_ids: [byFile, byPostback],
  })
  buyer = await createUser(app, network.signed, 'buyer', role.id)
  const owner = await readOwnId(app, buyer)
  // Every third seller's stream is the buyer's.
  await deps.db
    .insertInto('streams')
    .values(
      [byFile, byPostback].flatMap((source_id) =>
        sellers.map((name, n) => ({ name, source_id, user_id: n % 3 === 0 ? owner : null })),
      ),
    )
    .execute()
})
afterAll(() => network.close())

async function newSource(): Promise<number> {
  await network.newSource()
  const { db } = network.product.deps
  const statuses = await db.selectFrom('statuses').select(['id', 'name']).execute()
  const sourceStatuses = Object.entries(statusNames).map(([sourceStatus, name]) => ({
    name: sourceStatus,
    source_name: sourceStatus,
    source_name2: null,
    status_id: statuses.find((status) => status.name === name)?.id ?? 0,
    source_id: network.source,
  }))
  await db.deleteFrom('source_statuses').where('source_id', '=', network.source).execute()
  await db.insertInto('source_statuses').values(sourceStatuses).execute()
  return network.source
}

/** One order as a postback, in one of the forms that networks use. */
async function sendPostback(order: RealOrder, way: number): Promise<string> {
  const money = ['payout', 'revenue', 'sum'][way % 3] ?? ''
  const params = {
    transaction_id: order.id,
    status: order.status,
    [money]: formatAmount(order.freight),
    created_at: order.purchased,
    updated_at: order.purchased,
    offer: order.category,
    subid: order.seller,
  }
  const text = new URLSearchParams(params).toString()
  const { status, body } = (await [
    () => network.send('GET', `?${text}`),
    () => network.send('POST', '', 'application/x-www-form-urlencoded', text),
    () => network.send('POST', '', 'application/json', JSON.stringify(params)),
  ][way % 3]?.()) ?? { status: 0, body: { outcome: '' } }
  expect(status, JSON.stringify(body)).toBe(200)
  return body.outcome
}

interface Row extends Omit<GroupRow, 'id'> {
  date?: string
}

/** All rows of a report of one source, and its totals. */
async function report(as: Session, path: string, source: number): Promise<{ rows: Row[]; totals: Figures }> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const url = `/api/${path}?source_id=${source}&per_page=200&page=${page}`
    const answer = await callApi(network.product.app, as, 'GET', url)
    expect(answer.statusCode, answer.body).toBe(200)
    const { items, meta } = answer.json<Page<Row & { id?: number }> & { meta: { totals: Figures } }>()
    // Each source has streams and offers of its own, with ids of their own.
    rows.push(...items.map(({ id: _id, ...row }) => row))
    if (!meta.has_next) return { rows: rows.toSorted(byName), totals: meta.totals }
  }
}

const byName = (a: Row, b: Row) => ((a.date ?? a.name) < (b.date ?? b.name) ? -1 : 1)

describe('Real orders as postbacks', () => {
  test('postbacks of the real orders are accepted beside an import of the same orders', async () => {
    const file = { name: 'olist.csv', content: buildLeadsCsv(orders) }
    const fields = { source_id: String(byFile) }
    const importAnswer = await sendFile(
      network.product.app,
      network.signed,
      '/api/admin/leads/import/',
      file,
      fields,
    )
    expect(importAnswer.json()).toMatchObject({ imported: orders.length, skipped: 0 })
    for (const [n, order] of orders.entries()) expect(await sendPostback(order, n), order.id).toBe('created')
    // Again in reverse order and with other parameter forms.
    for (const [n, order] of orders.toReversed().entries())
      if (n % 4 === 0) expect(await sendPostback(order, n + 1), order.id).toBe('unchanged')
  })

  test.each(['daily', 'offers', 'streams'])(
    'postbacks and the import of the real orders give the same %s',
    async (name) => {
      for (const [as, path] of [
        [network.signed, 'admin'],
        [buyer, 'user'],
      ] as const) {
        const reportAnswer = await report(as, `${path}/report/${name}`, byPostback)
        expect(reportAnswer).toEqual(await report(as, `${path}/report/${name}`, byFile))
        expect(reportAnswer.rows.length, path).toBeGreaterThan(5)
      }
    },
  )

  test('the reports of the postbacks equal an independent count to the cent, for an admin and a buyer', async () => {
    const buyerSellers = new Set(sellers.filter((_, n) => n % 3 === 0))
    for (const [as, path, visibleOrders] of [
      [network.signed, 'admin', orders],
      [buyer, 'user', orders.filter(({ seller }) => buyerSellers.has(seller))],
    ] as const) {
      const { totals } = await report(as, `${path}/report/daily`, byPostback)
      const soldOrders = visibleOrders.filter(({ status }) => status === 'delivered')
      const cents = soldOrders.reduce((sum, order) => sum + order.freight, 0)
      expect(totals, path).toMatchObject({
        leads: visibleOrders.length,
        sold: soldOrders.length,
        profit: cents / 100,
      })
    }
  })
})
