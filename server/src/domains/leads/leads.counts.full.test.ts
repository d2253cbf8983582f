import type { Page } from '@karvon/contract/lib/page.ts'
import type { Lead } from '@karvon/contract/leads/leads.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createUser } from '../../../test/people.ts'
import { foldDeltas } from '../reports/reports.fold.queries.ts'
import { buildChangedDays } from '../segments/segments.jobs.ts'
import { countListByDay, findPageDays } from './leads.counts.ts'

// The list counts by day from 50,000 leads on.
const rows = 60_000
let product: Product
const sessions: Record<'admin' | 'user', Session> = { admin: {} as Session, user: {} as Session }

beforeAll(async () => {
  product = await createTestApp()
  const { pool, db } = product.deps
  sessions.admin = await signInAdmin(product.app)
  sessions.user = await createUser(product.app, sessions.admin, 'buyer')
  await pool.query(
    `insert into cpa_sources (name, url) select 'Source ' || n, 'https://x.example' from generate_series(1, 3) n`,
  )
  await pool.query(
    `insert into role_source_access (role_id, source_id)
     select u.role_id, s.id from users u, cpa_sources s where u.username = 'buyer' and s.id < 3`,
  )
  await pool.query(
    `insert into offers (name, source_id) select 'Offer ' || n, n % 3 + 1 from generate_series(1, 10) n`,
  )
  // The buyer has two of three streams.
  await pool.query(
    `insert into streams (name, source_id, user_id)
     select 'Stream ' || n, n % 3 + 1, case when n % 3 > 0 then u.id end
     from generate_series(1, 30) n, users u where u.username = 'buyer'`,
  )
  await pool.query(
    `insert into leads (source_id, external_id, offer_id, stream_id, source_status, status_id, payout, day, created_at,
       updated_at, region, subs)
     select n % 9 / 3 + 1, 'L' || n, nullif(n % 10 + 1, 7), nullif(n * 7 % 31, 0), 'word', nullif(n % 6, 0), n % 500, at::date,
       at, at + interval '1 day', case when n % 4 > 0 then 'Region ' || n % 4 end,
       jsonb_build_object('sub1', 's' || n % 997, 'sub2', case when n % 30000 = 0 then 'rare' else 'often' end)
     from (select n, timestamptz '2026-01-01' + n * interval '62 seconds' as at
       from generate_series(1, $1::int) n) s`,
    [rows],
  )
  while ((await foldDeltas(db)) > 0);
  while (await buildChangedDays(db));
  // The segments do not know these changes.
  await pool.query(`update leads set region = 'Changed', status_id = 1 where id % 20000 between 100 and 130`)
  await product.deps.sessionPool.query('vacuum analyze leads')
})
afterAll(() => product.close())

/** The conditions of queries, written as a reader of the table would. Days are in the time zone of the installation. */
const queries: Readonly<Record<string, string>> = {
  '': 'true',
  'region=Region 2': `region = 'Region 2'`,
  'region=Changed': `region = 'Changed'`,
  'without=region': 'region is null',
  'region=Region 3&without=region': `region is null or region = 'Region 3'`,
  'status_id=1': 'status_id = 1',
  'status_id=0': 'status_id is null',
  'status_id=1,2&source_id=1': 'status_id in (1, 2) and source_id = 1',
  'buyer_id=2': 'stream_id in (select id from streams where user_id = 2)',
  'buyer_id=0': 'stream_id is null or stream_id in (select id from streams where user_id is null)',
  'hour=13': 'extract(hour from created_at) = 13',
  'weekday=6,7': 'extract(isodow from day) in (6, 7)',
  'sub1=s77': `subs ->> 'sub1' = 's77'`,
  'sub2=rare': `subs ->> 'sub2' = 'rare'`,
  'sub2=nobody': 'false',
  'column=sold&region=Region 1': `region = 'Region 1' and status_id in
    (select s.id from statuses s join status_types t on t.id = s.type_id where t.code = 'sold')`,
  'column=none&region=Region 1': `region = 'Region 1' and (status_id is null or status_id in
    (select s.id from statuses s left join status_types t on t.id = s.type_id where t.code is null))`,
  'column=sold&status_id=0': 'false',
  'start_date=2026-01-10&end_date=2026-01-31&status_id=2': `status_id = 2 and day between '2026-01-10' and '2026-01-31'`,
}
const orders = {
  '-created_at': 'created_at desc, id desc',
  created_at: 'created_at, id',
  '-payout': 'payout desc, id desc',
}
const scopes = {
  admin: 'true',
  user: `source_id < 3 and stream_id in (select id from streams where user_id = 2)`,
}

const list = async (scope: 'admin' | 'user', query: string) => {
  const answer = await callApi(
    product.app,
    sessions[scope],
    'GET',
    `/api/${scope}/leads/?${encodeURI(query)}`,
  )
  expect(answer.statusCode).toBe(200)
  return answer.json<Page<Lead>>()
}

const readExpected = async (condition: string, order: string) =>
  (
    await product.deps.pool.query<{ ids: number[] }>(
      `select coalesce(array_agg(id::integer order by ${order}), '{}') as ids from leads where ${condition}`,
    )
  ).rows[0]?.ids ?? []

describe.each(['admin', 'user'] as const)('the list of many leads of an %s', (scope) => {
  test.each(Object.keys(queries))(
    'the list of leads has the exact count and pages of the query "%s"',
    async (query) => {
      const expectPage = async (sort: keyof typeof orders, findSkip: (count: number) => number) => {
        const ids = await readExpected(`(${queries[query]}) and ${scopes[scope]}`, orders[sort])
        const skip = findSkip(ids.length)
        const { items, meta } = await list(scope, `${query}&sort=${sort}&limit=10&skip=${skip}`)
        expect(meta.filtered_total).toBe(ids.length)
        expect(items.map(({ id }) => id)).toEqual(ids.slice(skip, skip + 10))
      }
      await expectPage('-created_at', () => 0)
      await expectPage('-created_at', (count) => Math.floor(count / 2))
      await expectPage('-created_at', (count) => Math.max(0, count - 7))
      await expectPage('created_at', (count) => Math.floor(count / 3))
      await expectPage('-payout', () => 0)
    },
  )
})

test('many leads are counted by day only if the statement of the list would read all of them', async () => {
  const { db, pool } = product.deps
  const count = (query: object, offset = 0) =>
    countListByDay(
      { db, pool, runCount: (work) => work() },
      { query, viewer: null, statuses: [] },
      { offset, size: 10 },
    )
  expect(await count({})).toBeNull()
  expect(await count({ source_id: [1] })).toBeNull()
  expect(await count({ search: 'L1' }, 30_000)).toBeNull()
  expect(await count({ region: ['Region 1'] })).toMatchObject({ total: rows })
  expect(await count({}, 30_000)).toMatchObject({ total: rows })
  expect(await count({ sort: 'payout' }, 30_000)).toBeNull()
})

test('a page in the middle of many leads reads the leads of its days', async () => {
  const days = [
    { day: '2026-01-01', leads: 5 },
    { day: '2026-01-02', leads: 10 },
    { day: '2026-01-04', leads: 3 },
  ]
  const find = (offset: number, size: number, sort?: string) =>
    findPageDays(days, { offset, size }, sort === undefined ? {} : { sort })
  expect(find(0, 2)).toEqual({ days: { start: '2026-01-04', end: '2026-01-04' }, rows: 3, skipped: 0 })
  expect(find(2, 2)).toEqual({ days: { start: '2026-01-02', end: '2026-01-04' }, rows: 13, skipped: 0 })
  expect(find(3, 10)).toEqual({ days: { start: '2026-01-02', end: '2026-01-02' }, rows: 10, skipped: 3 })
  expect(find(17, 5)).toEqual({ days: { start: '2026-01-01', end: '2026-01-01' }, rows: 5, skipped: 13 })
  expect(find(5, 1, 'created_at')).toEqual({
    days: { start: '2026-01-02', end: '2026-01-02' },
    rows: 10,
    skipped: 5,
  })
  expect(find(18, 5)).toBeNull()
})
