import type { Page } from '@karvon/contract/lib/page.ts'
import type { Lead } from '@karvon/contract/leads/leads.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createUser } from '../../../test/people.ts'
import { foldDeltas } from '../reports/reports.fold.queries.ts'
import { buildPageStatement, type ListDeclaration } from '../../resources/lists.queries.ts'
import { buildLeadList, type LeadQuery } from './leads.list.queries.ts'
import { buildUnmappedList } from './leads.unmapped.queries.ts'

const rows = 80_000
let product: Product
let admin: Session
let person: { userId: number; roleId: number }

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  const { pool, db } = product.deps
  await createUser(product.app, admin, 'buyer')
  const result = await pool.query<{ userId: number; roleId: number }>(
    `select id as "userId", role_id as "roleId" from users where username = 'buyer'`,
  )
  person = result.rows[0] ?? { userId: 0, roleId: 0 }
  await pool.query(
    `insert into cpa_sources (name, url) select 'Source ' || n, 'https://x.example' from generate_series(1, 5) n`,
  )
  await pool.query(
    `insert into role_source_access (role_id, source_id) select $1, id from cpa_sources where id < 5`,
    [person.roleId],
  )
  await pool.query(
    `insert into offers (name, source_id) select 'Offer ' || n, n % 5 + 1 from generate_series(1, 50) n`,
  )
  await pool.query(
    `insert into streams (name, source_id, user_id)
     select 'Stream ' || n, n % 5 + 1, case when n % 20 = 0 then $1::bigint end from generate_series(1, 200) n`,
    [person.userId],
  )
  // Source 5 is rare, status 7 rarer; 1 of 10 leads has no offer, stream or status.
  for (let from = 1; from <= rows; from += 10_000)
    await pool.query(
      `insert into leads (source_id, external_id, offer_id, stream_id, source_status, status_id, payout, day, created_at, updated_at)
     select case when n % 37 = 0 then 5 else n % 4 + 1 end, 'L' || n,
       nullif(n % 50 + 1, 7), nullif(n * 7 % 200 + 1, 13), 'word ' || n % 30,
       case when n % 1009 = 0 then 7 when n % 10 = 0 then null else n % 6 + 1 end, n % 500, at::date, at, at + interval '1 day'
     from (select n, timestamptz '2026-01-01' + n * interval '4 minutes' as at
        from generate_series($1::int, $1::int + 9999) n) s`,
      [from],
    )
  while ((await foldDeltas(db)) > 0);
  await product.deps.sessionPool.query('vacuum analyze')
})
afterAll(() => product.close())

interface Plan {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** How many leads a statement read, filtered ones included. */
async function countReads({ text, values }: { text: string; values: unknown[] }): Promise<number> {
  const result = await product.deps.pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `explain (analyze, format json) ${text}`,
    values,
  )
  const count = (plan: Plan | undefined): number => {
    if (plan === undefined) return 0
    const ownRows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
    const here = plan['Relation Name'] === 'leads' ? ownRows * plan['Actual Loops'] : 0
    return (plan.Plans ?? []).reduce((sum, child) => sum + count(child), here)
  }
  return count(result.rows[0]?.['QUERY PLAN'][0]?.Plan)
}

/**
 * How a statement reads leads, if PostgreSQL reads rows of leads only where no index has all columns. It may choose rows of a table that
 * is as small as this one.
 */
async function listReads({ text, values }: { text: string; values: unknown[] }): Promise<string[]> {
  const client = await product.deps.sessionPool.connect()
  try {
    await client.query('begin; set local enable_bitmapscan = off; set local enable_seqscan = off')
    const { rows: plans } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (format json) ${text}`,
      values,
    )
    return listScans(plans[0]?.['QUERY PLAN'][0]?.Plan)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

function listScans(plan: Plan | undefined): string[] {
  if (plan === undefined) return []
  const { 'Node Type': node, 'Index Name': index = 'no index', 'Relation Name': table } = plan
  return [...(table === 'leads' ? [`${node}, ${index}`] : []), ...(plan.Plans ?? []).flatMap(listScans)]
}

const page = { size: 10, offset: 0 }
const statuses = async (column: string) =>
  (
    await product.deps.pool.query<{ id: number }>(
      `select s.id from statuses s join status_types t on t.id = s.type_id where t.code = $1`,
      [column],
    )
  ).rows.map(({ id }) => id)

const countsOf = ({ counts }: ListDeclaration) =>
  counts !== undefined && 'text' in counts ? counts : { text: '', values: [] }

const cells: LeadQuery[] = [
  {},
  { source_id: [1] },
  { source_id: [5] },
  { offer_id: [3] },
  { offer_id: [3, 4] },
  { offer_id: [0] },
  { stream_id: [4] },
  { stream_id: [0] },
  { column: 'sold' },
  { column: 'none' },
  { source_id: [2], column: 'cancel' },
  { offer_id: [3], column: 'sold', start_date: '2026-03-01', end_date: '2026-03-31' },
  { source_id: [1], start_date: '2026-05-05', end_date: '2026-05-05' },
  { start_date: '2026-02-03', end_date: '2026-02-03' },
  { search: 'L1999' },
  { search: 'L1' },
  { external_id: 'L777' },
  { created_at: '2026-03-01T00:00:00Z' },
  { source_id: [5], source_status: 'WORD 3' },
  { sort: 'external_id' },
  { sort: '-external_id' },
  { sort: 'payout' },
  { sort: '-updated_at' },
]

describe("Leads of a report's cell", () => {
  test.each(cells)('the query %o reads only a small part of the leads', async (query) => {
    const list = buildLeadList({ query, viewer: null, statuses: await statuses(query.column ?? '') })
    for (const fromEnd of [false, true])
      expect(await countReads(buildPageStatement(list, page, fromEnd))).toBeLessThan(rows / 30)
    const countedRows = query.search === undefined ? rows / 30 : rows
    expect(await countReads(countsOf(list))).toBeLessThan(countedRows)
  })

  test.each(cells)('the query %o of a person reads only leads of their own streams', async (query) => {
    const list = buildLeadList({ query, viewer: person, statuses: await statuses(query.column ?? '') })
    // 10 of 200 streams.
    for (const statement of [
      buildPageStatement(list, page),
      buildPageStatement(list, page, true),
      countsOf(list),
    ])
      expect(await countReads(statement)).toBeLessThan(rows / 15)
  })
})

test.each<LeadQuery>([
  { sort: 'id' },
  { sort: '-external_id' },
  { sort: 'updated_at' },
  { sort: '-payout' },
  { status_id: [2] },
  { status_id: [0], offer_id: [3], sort: 'payout' },
  { column: 'sold', start_date: '2026-02-01', sort: 'updated_at' },
  { hour: [13], weekday: [1] },
  { source_status: 'word 3' },
])("the query %o of a person reads no rows of leads but the page's", async (query) => {
  const list = buildLeadList({ query, viewer: person, statuses: await statuses(query.column ?? '') })
  const ownIndex = 'Index Only Scan, leads_stream_list'
  expect(new Set(await listReads(buildPageStatement(list, page)))).toEqual(
    new Set([ownIndex, 'Index Scan, leads_pkey']),
  )
  for (const read of await listReads(countsOf(list))) expect(read).toBe(ownIndex)
})

test('the leads of an unmapped status are counted in the index of leads without a status', async () => {
  const query: LeadQuery = { source_id: [1], source_status: 'WORD 3', status_id: [0] }
  const list = buildLeadList({ query, viewer: null, statuses: [] })
  expect(await listReads(countsOf(list))).toEqual(['Index Only Scan, leads_unmapped'])
})

test('unmapped statuses are counted in the index of their leads', async () => {
  const { text, values } = buildPageStatement(buildUnmappedList({}), page)
  const { rows } = await product.deps.pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
  const plan = rows.map((row) => row['QUERY PLAN']).join(' ')
  expect(plan).toMatch(/Index.* leads_unmapped/)
  expect(plan).not.toContain('Seq Scan on leads')
})

test('a page of leads is the same from either end, and the totals match the rows', async () => {
  const list = async (query: string) =>
    (await callApi(product.app, admin, 'GET', `/api/admin/leads/?${query}`)).json<Page<Lead>>()
  const near = await list('source_id=5&sort=created_at&per_page=100')
  const { last_page, filtered_total } = near.meta
  expect(filtered_total).toBe(Math.floor(rows / 37))
  for (const number of [1, Math.ceil(last_page / 2) + 1, last_page]) {
    const there = await list(`source_id=5&sort=created_at&limit=100&skip=${(number - 1) * 100}`)
    const skip = Math.max(0, filtered_total - number * 100)
    const back = await list(`source_id=5&limit=${there.items.length}&skip=${skip}`)
    expect(there.items.length).toBe(Math.min(100, filtered_total - (number - 1) * 100))
    expect(there.items.map(({ id }) => id)).toEqual(back.items.map(({ id }) => id).toReversed())
  }
  expect((await list(`source_id=5&per_page=100&page=${last_page + 1}`)).items).toEqual([])
})
