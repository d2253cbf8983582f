import type { Page } from '@karvon/contract/lib/page.ts'
import type { Lead } from '@karvon/contract/leads/leads.ts'
import type { Figures } from '@karvon/contract/reports/reports.ts'
import type { ExploreAnswer } from '@karvon/contract/explore/explore.ts'
import type { StatusRecount } from '@karvon/contract/statuses/statuses.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildLead } from '../../../test/lead-database.ts'
import { createRow, readId } from '../../../test/people.ts'
import { countRollupDifferences, noDifferences } from '../../../test/recount.ts'
import { setRecountBatch } from '../../../test/recounts.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import type { LeadInput } from '../leads/leads.types.ts'
import { totalsCheck } from '../rollups/rollups.check.ts'
import { findStatusRecount } from '../rollups/rollups.recounts.queries.ts'
import { foldDeltas } from './reports.fold.queries.ts'
import { recountStatuses, recountStatusesJob } from './reports.recounts.ts'
import { recountNextBatch } from './reports.recounts.queries.ts'

const leads = 23
const batch = 5

let product: Product
let admin: Session
let source: number
let status: number

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  source = await createRow(product.app, admin, '/api/admin/cpa-sources/', {
    name: 'Network',
    url: 'https://network.example',
  })
})
afterAll(() => product.close())

/** A new status of the type `hold` with leads of 23 days. */
beforeEach(async () => {
  const { pool } = product.deps
  await setRecountBatch(pool, batch)
  await pool.query('delete from lead_history; delete from leads; delete from source_statuses')
  status = await createRow(product.app, admin, '/api/admin/statuses/', {
    name: 'Checked',
    type_id: await typeId('hold'),
  })
  await createRow(product.app, admin, '/api/admin/source-statuses/', {
    name: 'checked',
    source_name: 'checked',
    status_id: status,
    source_id: source,
  })
  await ingest(...Array.from({ length: leads }, (_, day) => checkedLead(day)))
})

const time = (day: number) => new Date(Date.UTC(2026, 0, 1 + day, 10)).toISOString()
/** The lead with the number `day` was created on this day. */
const checkedLead = (day: number, changes: Partial<LeadInput> = {}) =>
  buildLead(`lead ${day}`, { source_status: 'checked', created_at: time(day), stream: 'Reels', ...changes })
const ingest = (...batch: LeadInput[]) =>
  ingestLeads(product.deps.db, { sourceId: source, leads: batch, origin: 'connector' })

async function get<T>(url: string): Promise<T> {
  const answer = await callApi(product.app, admin, 'GET', url)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<T>()
}
const typeId = async (code: string): Promise<number> => {
  const { rows } = await product.deps.pool.query<{ id: number }>(
    'select id from status_types where code = $1',
    [code],
  )
  return rows[0]?.id ?? 0
}
async function changeType(code: string): Promise<StatusRecount | null> {
  const body = { name: 'Checked', type_id: await typeId(code) }
  const answer = await callApi(product.app, admin, 'POST', `/api/admin/statuses/${status}/`, body)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ recount: StatusRecount | null }>().recount
}
const readRecount = async () =>
  (await get<{ recount: StatusRecount | null }>(`/api/admin/statuses/${status}/`)).recount
const recountBatch = () => product.deps.db.transaction().execute((trx) => recountNextBatch(trx, status))
const runJob = () => recountStatusesJob(product.deps).run(new AbortController().signal)

const columns = ['hold', 'sold', 'cancel'] as const
/** The leads of the three columns in the report, which must be what the leads add up to. */
async function readColumns(): Promise<number[]> {
  const { totals } = (await get<{ meta: { totals: Figures } }>('/api/admin/report/streams')).meta
  expect(totals.leads).toBe(columns.reduce((sum, column) => sum + totals[column], 0))
  expect(totals.profit + totals.hold_amount).toBe(10 * (totals.sold + totals.hold))
  expect(await countRollupDifferences(product.deps.pool)).toEqual(noDifferences)
  return columns.map((column) => totals[column])
}
/** The leads in the list by column, with the number that its page counts. */
const readList = async (column: string) => {
  const { items, meta } = await get<Page<Lead>>(`/api/admin/leads/?per_page=200&column=${column}`)
  expect(meta.filtered_total).toBe(items.length)
  return items.length
}

test('all leads of a status with few leads are in the column of its new type when the change is saved', async () => {
  await setRecountBatch(product.deps.pool, leads + 1)
  expect(await changeType('sold')).toBeNull()
  expect(await readColumns()).toEqual([0, leads, 0])
})

test('many leads move in batches, newest first, and count in one column at every moment', async () => {
  expect(await changeType('sold')).toEqual({ recounted: batch, leads })
  expect(await readColumns()).toEqual([18, 5, 0])
  const { items } = await get<Page<Figures & { date: string }>>('/api/admin/report/daily?per_page=200')
  expect(items.flatMap(({ date, sold }) => (sold > 0 ? [date.slice(-2)] : []))).toEqual([
    '23',
    '22',
    '21',
    '20',
    '19',
  ])
  const client = await product.deps.pool.connect()
  expect(await totalsCheck.run(client)).toMatchObject({ faults: [] })
  client.release()
  await recountBatch()
  expect(await readRecount()).toEqual({ recounted: 2 * batch, leads })
  expect(await readColumns()).toEqual([13, 10, 0])
  await runJob()
  expect(await readRecount()).toBeNull()
  expect(await readColumns()).toEqual([0, leads, 0])
})

test('the job recount-statuses waits while more deltas are pending than a fold takes', async () => {
  const { db } = product.deps
  const fold = async () => {
    while ((await foldDeltas(db)) > 0);
  }
  await changeType('sold')
  const maxDeltas = batch - 1
  await recountStatuses(db, undefined, maxDeltas)
  expect(await readRecount()).toEqual({ recounted: batch, leads })
  await fold()
  await recountStatuses(db, undefined, maxDeltas)
  expect(await readRecount()).toEqual({ recounted: 2 * batch, leads })
  expect(await readColumns()).toEqual([13, 10, 0])
})

test('the lists and Explore use the new type of a status as soon as the change is saved', async () => {
  await changeType('sold')
  expect([await readList('sold'), await readList('hold')]).toEqual([leads, 0])
  for (const rows of ['day', 'stream', 'status', 'hour'])
    for (const columns of ['', '&columns=source', '&columns=stream']) {
      if (columns.endsWith(`=${rows}`)) continue
      const { items, totals } = await get<ExploreAnswer>(
        `/api/admin/explore?rows=${rows}${columns}&metrics=sold,profit,hold`,
      )
      const expected = { sold: leads, profit: 10 * leads, hold: 0 }
      expect(totals.metrics, `${rows}${columns}`).toEqual(expected)
      expect(items.reduce((sum, { metrics }) => sum + (metrics.sold ?? 0), 0)).toBe(leads)
    }
  await runJob()
  expect([await readList('sold'), await readList('hold')]).toEqual([leads, 0])
})

test('leads that arrive, leave, come back or get another time during a recount count once', async () => {
  await changeType('sold')
  const newer = { updated_at: '2026-12-01T10:00:00Z' }
  await ingest(checkedLead(30), checkedLead(-5))
  expect(await readColumns()).toEqual([19, 6, 0])
  // Each of them crosses the cursor or leaves its side.
  await ingest(
    checkedLead(22, { ...newer, created_at: time(0) }),
    checkedLead(0, { ...newer, created_at: time(40) }),
    checkedLead(21, { ...newer, source_status: 'unknown' }),
    checkedLead(1, { ...newer, source_status: 'unknown' }),
    checkedLead(2, { ...newer, payout: '12' }),
  )
  expect(await countRollupDifferences(product.deps.pool)).toEqual(noDifferences)
  await recountBatch()
  await ingest(checkedLead(1, { updated_at: '2026-12-02T10:00:00Z' }), checkedLead(50))
  await product.deps.pool.query(`delete from leads where external_id = any('{lead 20, lead 3}')`)
  expect(await countRollupDifferences(product.deps.pool)).toEqual(noDifferences)
  await runJob()
  const { totals } = (await get<{ meta: { totals: Figures } }>('/api/admin/report/stats')).meta
  expect(totals).toMatchObject({ leads: 24, hold: 0, sold: 23, profit: 232, hold_amount: 0 })
  expect(await countRollupDifferences(product.deps.pool)).toEqual(noDifferences)
})

test('a status that changes its type again during a recount ends in the last type, also if it is the first one', async () => {
  await changeType('sold')
  await changeType('cancel')
  expect(await readColumns()).toEqual([13, 10, 0])
  await ingest(checkedLead(30))
  await changeType('hold')
  await changeType('cancel')
  while ((await readRecount())?.recounted !== 5) {
    await recountBatch()
    await readColumns()
  }
  expect(await readColumns()).toEqual([0, 19, 5])
  await changeType('hold')
  await runJob()
  expect(await readColumns()).toEqual([24, 0, 0])
  expect(await readRecount()).toBeNull()
})

test('leads whose new type has no column are in no column, and their type can be deleted during a recount', async () => {
  const ownType = await createRow(product.app, admin, '/api/admin/status-types/', { name: 'Own' })
  const change = (type_id: number) =>
    callApi(product.app, admin, 'POST', `/api/admin/statuses/${status}/`, { name: 'Checked', type_id })
  expect((await change(ownType)).json()).toMatchObject({ recount: { recounted: batch } })
  await runJob()
  await change(await typeId('sold'))
  const answer = await callApi(product.app, admin, 'DELETE', `/api/admin/status-types/${ownType}/`)
  expect(answer.statusCode, answer.body).toBe(200)
  await runJob()
  expect(await readColumns()).toEqual([0, leads, 0])
})

test('a status that lost its leads during a recount can be deleted', async () => {
  await changeType('sold')
  const remove = () => callApi(product.app, admin, 'DELETE', `/api/admin/statuses/${status}/`)
  expect((await remove()).statusCode).toBe(409)
  const { pool } = product.deps
  await pool.query('delete from source_statuses')
  const hold = await readId(product.app, admin, '/api/admin/statuses/?name=Hold')
  await pool.query('delete from lead_history')
  await pool.query('update leads set status_id = $1', [hold])
  expect((await remove()).statusCode).toBe(200)
  expect(await findStatusRecount(product.deps.db)).toBeNull()
  await runJob()
  expect(await readColumns()).toEqual([leads, 0, 0])
})
