import type { Page } from '@karvon/contract/lib/page.ts'
import type { DailyRow, Figures, GroupRow } from '@karvon/contract/reports/reports.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { sendFile } from '../../../test/files.ts'
import {
  countOrders,
  buildLeadsCsv,
  orderStatusNames,
  readOrders,
  type RealOrder,
} from '../../../test/olist.ts'
import { createRow, createUser, readId } from '../../../test/people.ts'

const orders = readOrders()
let product: Product
let admin: Session
let buyer: Session
let source: number
/** Sellers whose streams belong to the buyer. */
const sellers = new Set(
  mostFrequent(orders.map((order) => order.seller).filter((seller) => seller !== '')).slice(0, 5),
)

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  source = await create('/api/admin/cpa-sources/', { name: 'Olist', url: 'https://olist.example' })
  const seededStatuses = await get<Page<{ id: number }>>(
    admin,
    `/api/admin/source-statuses/?source_id=${source}&per_page=200`,
  )
  for (const { id } of seededStatuses.items)
    await callApi(product.app, admin, 'DELETE', `/api/admin/source-statuses/${id}/`)
  for (const [sourceStatus, status] of Object.entries(orderStatusNames)) {
    const status_id = await readId(product.app, admin, `/api/admin/statuses/?name=${status}`)
    await create('/api/admin/source-statuses/', {
      name: sourceStatus,
      source_name: sourceStatus,
      status_id,
      source_id: source,
    })
  }
  const role = await create('/api/admin/roles/', { name: 'Buyer', code: 'buyer', source_ids: [source] })
  buyer = await createUser(product.app, admin, 'buyer', role)
})

afterAll(() => product.close())

function mostFrequent(texts: readonly string[]): string[] {
  const counts = [...Map.groupBy(texts, (text) => text)].map(
    ([key, sameTexts]) => [key, sameTexts.length] as const,
  )
  return counts.toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([key]) => key)
}

const create = (url: string, body: Record<string, unknown>) => createRow(product.app, admin, url, body)

async function get<T>(as: Session, url: string): Promise<T> {
  const answer = await callApi(product.app, as, 'GET', url)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<T>()
}

type Report<Row> = Page<Row> & { meta: { totals: Figures } }

/** A row of any report: those by day have a date, the others a name. */
type Row = GroupRow & Pick<DailyRow, 'date'>

/** All rows of a report, page by page, and its totals. */
async function report(as: Session, path: string, query = ''): Promise<{ rows: Row[]; totals: Figures }> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const { items, meta } = await get<Report<Row>>(as, `/api/${path}?per_page=200&page=${page}&${query}`)
    rows.push(...items)
    if (meta.has_next) continue
    expect(rows).toHaveLength(meta.filtered_total)
    return { rows, totals: meta.totals }
  }
}

const byKey = (key: (order: RealOrder) => string, selection = orders) =>
  new Map([...Map.groupBy(selection, key)].map(([name, sameOrders]) => [name, countOrders(sameOrders)]))

const groups = (rows: readonly GroupRow[]) => rows.map(({ name, ...figures }) => [name, figures] as const)

function expectGroups(rows: readonly GroupRow[], expected: ReadonlyMap<string, object>): void {
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...expected.keys()].toSorted())
  for (const [name, figures] of groups(rows)) expect(figures, name).toMatchObject(expected.get(name) ?? {})
}

describe('Real orders as leads', () => {
  test('a second import of the real orders changes nothing', async () => {
    const file = { name: 'olist.csv', content: buildLeadsCsv(orders) }
    const send = async () =>
      (
        await sendFile(product.app, admin, '/api/admin/leads/import/', file, { source_id: String(source) })
      ).json()
    const noCounts = { imported: 0, updated: 0, unchanged: 0, skipped: 0, errors: [] }
    expect(await send()).toEqual({ ...noCounts, imported: orders.length })
    expect(await send()).toEqual({ ...noCounts, unchanged: orders.length })
    const list = await get<Page<unknown>>(admin, '/api/admin/leads/')
    expect(list.meta.total).toBe(orders.length)
  })

  test('the daily report of the real orders equals an independent count, day by day and to the cent', async () => {
    const { rows, totals } = await report(admin, 'admin/report/daily')
    expect(totals).toMatchObject(countOrders(orders))
    const expected = byKey((order) => order.purchased.slice(0, 10))
    expect(rows.map(({ date }) => date)).toEqual([...expected.keys()].toSorted().toReversed())
    for (const { date, ...figures } of rows) expect(figures, date).toMatchObject(expected.get(date) ?? {})
  })

  test('the report of a period includes its first and its last day', async () => {
    const days = [...new Set(orders.map((order) => order.purchased.slice(0, 10)))].toSorted()
    const [from = '', to = ''] = [days[Math.floor(days.length / 3)], days[Math.floor(days.length / 2)]]
    const selectedOrders = orders.filter(
      ({ purchased }) => purchased.slice(0, 10) >= from && purchased.slice(0, 10) <= to,
    )
    expect(selectedOrders.some(({ purchased }) => purchased.startsWith(to))).toBe(true)
    const { totals } = await report(admin, 'admin/report/stats', `start_date=${from}&end_date=${to}`)
    expect(totals).toMatchObject(countOrders(selectedOrders))
  })

  test('offers, streams, sources and money equal an independent count', async () => {
    const offers = await report(admin, 'admin/report/offers')
    expectGroups(
      offers.rows,
      byKey((order) => order.category || '—'),
    )
    const leads = offers.rows.map((row) => row.leads)
    expect(leads).toEqual(leads.toSorted((a, b) => b - a))
    const streams = await report(admin, 'admin/report/streams')
    expectGroups(
      streams.rows,
      byKey((order) => order.seller || '—'),
    )
    expectGroups((await report(admin, 'admin/report/stats')).rows, new Map([['Olist', countOrders(orders)]]))
    const fin = await get<Page<{ profit: number }>>(admin, '/api/admin/report/fin')
    expect(fin.items).toMatchObject([
      { name: 'Olist', profit: countOrders(orders).profit, hold_amount: 0, network_balance: null },
    ])
  })

  test('a person sees only the leads of their own streams, and gets 403 on the admin paths', async () => {
    const streams = await get<Page<{ id: number; name: string }>>(
      admin,
      `/api/admin/streams/?per_page=200&source_id=${source}`,
    )
    const { id: user_id } = await get<{ id: number }>(buyer, '/parcel/auth/me')
    const allStreams = [...streams.items]
    for (let page = 2; page <= streams.meta.last_page; page++)
      allStreams.push(
        ...(
          await get<typeof streams>(
            admin,
            `/api/admin/streams/?per_page=200&source_id=${source}&page=${page}`,
          )
        ).items,
      )
    for (const { id } of allStreams.filter(({ name }) => sellers.has(name)))
      expect(
        (await callApi(product.app, admin, 'PUT', `/api/admin/streams/${id}`, { user_id })).statusCode,
      ).toBe(200)
    const ownOrders = orders.filter((order) => sellers.has(order.seller))
    expect(ownOrders.length).toBeGreaterThan(5)
    expect((await report(buyer, 'user/report/daily')).totals).toMatchObject(countOrders(ownOrders))
    expectGroups(
      (await report(buyer, 'user/report/streams')).rows,
      byKey((order) => order.seller, ownOrders),
    )
    expectGroups(
      (await report(buyer, 'user/report/offers')).rows,
      byKey((order) => order.category || '—', ownOrders),
    )
    expect((await get<Page<unknown>>(buyer, '/api/user/leads/')).meta.total).toBe(ownOrders.length)
    expect((await callApi(product.app, buyer, 'GET', '/api/admin/report/daily')).statusCode).toBe(403)
    expect((await callApi(product.app, buyer, 'GET', '/api/admin/leads/')).statusCode).toBe(403)
  })

  test('a person whose role lacks the source sees nothing of it', async () => {
    const role = await readId(product.app, admin, '/api/admin/roles/?code=buyer')
    expect(
      (await callApi(product.app, admin, 'PUT', `/api/admin/roles/${role}`, { source_ids: [] })).statusCode,
    ).toBe(200)
    expect((await report(buyer, 'user/report/daily')).totals.leads).toBe(0)
    expect((await get<Page<unknown>>(buyer, '/api/user/report/sources')).items).toEqual([])
    expect((await get<Page<unknown>>(buyer, '/api/user/report/fin')).items).toEqual([])
    expect((await get<Page<unknown>>(buyer, '/api/user/leads/')).meta.total).toBe(0)
  })
})
