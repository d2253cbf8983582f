import { createHash } from 'node:crypto'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { Figures } from '@karvon/contract/reports/reports.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { sendFile } from '../../../test/files.ts'
import { countOrders, buildLeadsCsv, orderStatusNames, readOrders, listReports } from '../../../test/olist.ts'
import { createRow, readId } from '../../../test/people.ts'
import { ingestLeads } from './leads.ingest.ts'
import type { LeadInput } from './leads.types.ts'

const orders = readOrders()
let product: Product
let admin: Session
let byFile: number
let shuffledSource: number

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  byFile = await newSource()
  shuffledSource = await newSource()
})
afterAll(() => product.close())

const create = (url: string, body: Record<string, unknown>) => createRow(product.app, admin, url, body)

/** A source with mappings for the source statuses of the marketplace only. */
async function newSource(): Promise<number> {
  const source_id = await create('/api/admin/cpa-sources/', { name: 'Olist', url: 'https://olist.example' })
  await product.deps.db.deleteFrom('source_statuses').where('source_id', '=', source_id).execute()
  for (const [source_status, name] of Object.entries(orderStatusNames)) {
    const status_id = await readId(product.app, admin, `/api/admin/statuses/?name=${name}`)
    await create('/api/admin/source-statuses/', {
      name: source_status,
      source_name: source_status,
      status_id,
      source_id,
    })
  }
  return source_id
}

/** All states of the orders, each twice, in an order that does not depend on time. */
function shuffledInputs(): LeadInput[] {
  const reportedLeads = orders.flatMap((order) =>
    listReports(order).map(({ source_status, at, payout }) => ({
      external_id: order.id,
      source_status,
      payout,
      currency: 'UZS',
      created_at: order.purchased,
      updated_at: at,
      offer: order.category || null,
      offer_extra_id: null,
      stream: order.seller || null,
      stream_extra_id: null,
      comment: null,
    })),
  )
  const chance = (lead: LeadInput, salt: number) =>
    createHash('md5').update(`${lead.external_id} ${lead.source_status} ${salt}`).digest('hex')
  return [...reportedLeads, ...reportedLeads]
    .map((lead, i) => ({ lead, at: chance(lead, i < reportedLeads.length ? 1 : 2) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ lead }) => lead)
}

const report = async (source: number, path: string) => {
  const rows: Record<string, unknown>[] = []
  for (let page = 1; ; page++) {
    const url = `/api/admin/report/${path}?source_id=${source}&per_page=200&page=${page}`
    const answer = await callApi(product.app, admin, 'GET', url)
    const { items, meta } = answer.json<Page<Record<string, unknown>> & { meta: { totals: Figures } }>()
    // Each source has offers and streams of its own, with ids of their own.
    rows.push(...items.map(({ id: _id, ...row }) => row))
    if (!meta.has_next) return { rows: rows.toSorted(byName), totals: meta.totals }
  }
}
const nameOf = (row: Record<string, unknown>) => String(row.date ?? row.name)
const byName = (a: Record<string, unknown>, b: Record<string, unknown>) => (nameOf(a) < nameOf(b) ? -1 : 1)

test('real orders in shuffled batches of four writers, with repeats and old states, equal the imported file', async () => {
  const file = { name: 'olist.csv', content: buildLeadsCsv(orders) }
  const answer = await sendFile(product.app, admin, '/api/admin/leads/import/', file, {
    source_id: String(byFile),
  })
  expect(answer.json()).toMatchObject({ imported: orders.length, skipped: 0 })

  const reports = shuffledInputs()
  expect(reports.length).toBeGreaterThan(orders.length * 4)
  const importedCounts = await Promise.all(
    [0, 1, 2, 3].map(async (writer) => {
      const writerLeads = reports.filter((_, i) => i % 4 === writer)
      let importedCount = 0
      for (let at = 0, size = 1; at < writerLeads.length; at += size, size = 1 + ((size * 7 + writer) % 400))
        importedCount += (
          await ingestLeads(product.deps.db, {
            sourceId: shuffledSource,
            leads: writerLeads.slice(at, at + size),
            origin: 'connector',
          })
        ).imported
      return importedCount
    }),
  )
  expect(importedCounts.reduce((sum, count) => sum + count, 0)).toBe(orders.length)

  const { rows } = await product.deps.pool.query(
    `with compared as (
       select l.source_id, l.external_id, l.source_status, s.name as status, l.payout, l.currency, o.name as offer,
         st.name as stream, l.day, l.created_at, l.is_status_overridden
       from leads l left join statuses s on s.id = l.status_id left join offers o on o.id = l.offer_id
         left join streams st on st.id = l.stream_id
     ), one as (select to_jsonb(compared) - 'source_id' as lead from compared where source_id = $1),
     other as (select to_jsonb(compared) - 'source_id' as lead from compared where source_id = $2)
     (select * from one except select * from other) union all (select * from other except select * from one)`,
    [byFile, shuffledSource],
  )
  expect(rows).toEqual([])
  for (const path of ['daily', 'offers', 'streams']) {
    const shuffledReport = await report(shuffledSource, path)
    expect(shuffledReport).toEqual(await report(byFile, path))
    expect(shuffledReport.totals, path).toMatchObject(countOrders(orders))
  }
  const back = await Promise.all(
    [reports.slice(0, 500), reports.slice(-500)].map((leads) =>
      ingestLeads(product.deps.db, {
        sourceId: shuffledSource,
        leads: leads.toReversed(),
        origin: 'connector',
      }),
    ),
  )
  expect(back).toEqual([0, 1].map(() => ({ imported: 0, updated: 0, unchanged: 500 })))
  // The text search reads its index once for each name, which took ten times as long as everything else here.
  await product.deps.pool.query('select pg_stat_force_next_flush()')
  const { rows: scans } = await product.deps.pool.query(
    `select indexrelname, idx_scan::int from pg_stat_user_indexes
       where indexrelname in ('offers_search', 'streams_search', 'streams_source_name') order by 1`,
  )
  expect(scans).toEqual([
    { indexrelname: 'offers_search', idx_scan: 0 },
    { indexrelname: 'streams_search', idx_scan: 0 },
    { indexrelname: 'streams_source_name', idx_scan: expect.any(Number) },
  ])
})
