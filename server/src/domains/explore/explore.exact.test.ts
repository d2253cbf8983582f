import { dimensionNames, type DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { ExploreAnswer, ExploreQuery } from '@karvon/contract/explore/explore.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recountCells, toRecountKey } from '../../../test/explore-recount.ts'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { foldDeltas } from '../reports/reports.fold.queries.ts'
import { buildDay } from '../segments/segments.jobs.ts'
import { answerQuestion } from './explore.ts'

let database: LeadDatabase
let sources: number[]
let buyer: { userId: number; roleId: number }
let restrictedViewer: { userId: number; roleId: number }

const sourceStatuses = ['accepted', 'sent', 'sold', 'client_returned', 'hold', 'trash', 'strange']
const textOf = (n: number, size: number) => (n % (size + 1) === size ? null : `v${n % (size + 1)}`)

/** Leads of 900 days at every hour, some without offer, stream, region and subs. */
function leadsOf(seed: number, count: number) {
  return Array.from({ length: count }, (_, i) => {
    const n = (i * 7919 + seed * 104_729) % 1_000_003
    const sub = (at: number, size: number) => {
      const value = textOf(n >> at, size)
      return value === null ? {} : { [`sub${at}`]: value }
    }
    return buildLead(`lead ${seed} ${i}`, {
      source_status: sourceStatuses[n % sourceStatuses.length] ?? 'hold',
      payout: `${n % 9}.${String(n % 97).padStart(2, '0')}`,
      created_at: new Date(Date.UTC(2024, 1, 1) + (n % 21_600) * 3_600_000).toISOString(),
      offer: textOf(n >> 2, 5),
      stream: textOf(n >> 3, 9),
      subs: { ...sub(1, 4), ...sub(2, 3), ...sub(3, 2) },
    })
  })
}

const ingest = (source: number, seed: number, count: number) =>
  ingestLeads(database.db, { sourceId: source, leads: leadsOf(seed, count), origin: 'file' })

beforeAll(async () => {
  database = await openLeadDatabase()
  const { pool } = database
  sources = [await database.newSource(), await database.newSource()]
  const person = async (name: string, allowedSources: readonly number[]) => {
    const role = await pool.query<{ id: number }>(
      `insert into roles (name, code) values ($1, $1) returning id`,
      [name],
    )
    const roleId = role.rows[0]?.id ?? 0
    const user = await pool.query<{ id: number }>(
      `insert into users (username, name, email, password_hash, role_id) values ($1, $1, $1 || '@example.uz', '', $2) returning id`,
      [name, roleId],
    )
    for (const id of allowedSources)
      await pool.query('insert into role_source_access (role_id, source_id) values ($1, $2)', [roleId, id])
    return { userId: user.rows[0]?.id ?? 0, roleId }
  }
  buyer = await person('buyer', sources)
  restrictedViewer = await person('restricted', sources.slice(0, 1))
  for (const [seed, source] of sources.entries()) await ingest(source, seed, 900)
  await pool.query('update streams set user_id = case id % 3 when 0 then $1::bigint when 1 then $2 end', [
    buyer.userId,
    restrictedViewer.userId,
  ])
  await pool.query(
    `update leads set region = nullif('r' || id % 5, 'r0'), cancel_reason = nullif('c' || id % 4, 'c0')`,
  )
  // Some figures are rollups and some are deltas.
  await foldDeltas(database.db, 700)
  // Most leads of the period below are in segments, and some of its days changed after that.
  const days = await pool.query<{ day: string }>(
    `select distinct day::text as day from leads where day between '2025-03-03' and '2025-04-16'`,
  )
  for (const { day } of days.rows) await buildDay(database.db, day)
  await pool.query(`update leads set region = 'new', payout = payout + 1 where id % 97 = 0`)
})
afterAll(() => database.close())

const metrics = 'leads,sold,profit,approve_rate'

/** Every cell of an answer without a rest, as the recount writes it. */
const cellsOf = ({ items, meta }: ExploreAnswer) =>
  items
    .map(({ row, column, metrics: { leads, sold, profit, approve_rate } }) => ({
      row_key: toRecountKey(meta.rows, row.key),
      column_key: column === null ? null : toRecountKey(meta.columns ?? '', column.key),
      leads,
      sold,
      profit,
      approve_rate,
    }))
    .map((cell) => JSON.stringify(cell))
    .toSorted()

const inOrder = (cells: object[]) => cells.map((cell) => JSON.stringify(cell)).toSorted()

const askAll = (query: ExploreQuery, viewer: typeof buyer | null) =>
  answerQuestion(database.db, { metrics, top_rows: 200, top_columns: 50, ...query }, viewer)

const pairs = dimensionNames.flatMap((rows) =>
  dimensionNames.filter((columns) => columns !== rows).map((columns) => [rows, columns] as const),
)
/** 45 days are within the columns that Explore shows. */
const period = { date_from: '2025-03-03', date_to: '2025-04-16' }
const periodCondition = `l.day between '2025-03-03' and '2025-04-16'`

test('each pair of dimensions equals a recount of the leads, for an admin, a buyer and a person of fewer sources', async () => {
  for (const [at, [rows, columns]] of pairs.entries()) {
    const viewer = [null, buyer, restrictedViewer][at % 3] ?? null
    const expected = await recountCells(database.pool, {
      keys: [rows, columns],
      condition: periodCondition,
      viewer,
    })
    const answer = await askAll({ rows, columns, ...period }, viewer)
    expect(cellsOf(answer), `${rows} by ${columns}`).toEqual(inOrder(expected))
  }
})

test('each dimension equals a recount of all leads', async () => {
  for (const rows of dimensionNames)
    for (const viewer of [null, buyer, restrictedViewer]) {
      const expected = await recountCells(database.pool, { keys: [rows], condition: 'true', viewer })
      const answer = await askAll({ rows }, viewer)
      expect(answer.meta.row_count, rows).toBe(expected.length)
      if (expected.length <= 200) expect(cellsOf(answer), rows).toEqual(inOrder(expected))
    }
})

const filters: { query: ExploreQuery; condition: string }[] = [
  { query: { day: '2025-03-10' }, condition: `l.day = '2025-03-10'` },
  { query: { week: '2025-03-12' }, condition: `l.day between '2025-03-10' and '2025-03-16'` },
  { query: { month: '2025-02-20' }, condition: `l.day between '2025-02-01' and '2025-02-28'` },
  { query: { weekday: [6] }, condition: `to_char(l.day, 'ID') = '6'` },
  { query: { hour: [13] }, condition: `date_part('hour', l.created_at) = 13` },
  { query: { source: [1] }, condition: 'l.source_id = 1' },
  { query: { offer: [2] }, condition: 'l.offer_id = 2' },
  { query: { offer: [0] }, condition: 'l.offer_id is null' },
  { query: { stream: [3] }, condition: 'l.stream_id = 3' },
  { query: { stream: [0] }, condition: 'l.stream_id is null' },
  { query: { buyer: [0] }, condition: 't.user_id is null' },
  { query: { buyer: [1] }, condition: 't.user_id = 1' },
  { query: { cancel_reason: ['c2'] }, condition: `l.cancel_reason = 'c2'` },
  { query: { status: [1] }, condition: 'l.status_id = 1' },
  { query: { status: [0] }, condition: 'l.status_id is null' },
  { query: { region: ['r3'] }, condition: `l.region = 'r3'` },
  { query: { sub1: ['v1'] }, condition: `l.subs ->> 'sub1' = 'v1'` },
  { query: { without: 'region,sub2' }, condition: `l.region is null and l.subs ->> 'sub2' is null` },
  { query: { weekday: [1, 6, 7] }, condition: `to_char(l.day, 'ID') in ('1', '6', '7')` },
  { query: { hour: [0, 13, 23] }, condition: `date_part('hour', l.created_at) in (0, 13, 23)` },
  { query: { source: [1, 2] }, condition: 'l.source_id in (1, 2)' },
  { query: { offer: [0, 2, 3] }, condition: '(l.offer_id is null or l.offer_id in (2, 3))' },
  { query: { stream: [2, 3, 5] }, condition: 'l.stream_id in (2, 3, 5)' },
  { query: { stream: [0, 3] }, condition: '(l.stream_id is null or l.stream_id = 3)' },
  { query: { buyer: [1, 2] }, condition: 't.user_id in (1, 2)' },
  { query: { buyer: [0, 1] }, condition: '(t.user_id is null or t.user_id = 1)' },
  { query: { status: [0, 1, 3] }, condition: '(l.status_id is null or l.status_id in (1, 3))' },
  { query: { region: ['r1', 'r3', 'nowhere'] }, condition: `l.region in ('r1', 'r3')` },
  {
    query: { cancel_reason: ['c2'], without: 'cancel_reason' },
    condition: `(l.cancel_reason is null or l.cancel_reason = 'c2')`,
  },
  {
    query: { sub1: ['v0', 'v2'], sub2: ['v1'], without: 'sub2', sub3: ['v0', 'v1'] },
    condition: `l.subs ->> 'sub1' in ('v0', 'v2') and coalesce(l.subs ->> 'sub2', 'v1') = 'v1'
      and l.subs ->> 'sub3' in ('v0', 'v1')`,
  },
  {
    query: { buyer: [0, 1], stream: [1, 2, 3, 4], status: [1, 2], offer: [1, 1], weekday: [1, 2, 3, 4, 5] },
    condition: `(t.user_id is null or t.user_id = 1) and l.stream_id in (1, 2, 3, 4) and l.status_id in (1, 2)
      and l.offer_id = 1 and to_char(l.day, 'ID') < '6'`,
  },
  {
    query: { weekday: [2], offer: [1], date_from: '2025-01-01' },
    condition: `to_char(l.day, 'ID') = '2' and l.offer_id = 1 and l.day >= '2025-01-01'`,
  },
]

test('each filter equals a recount of the leads behind it', async () => {
  const groups: DimensionName[] = ['month', 'source', 'buyer', 'stream', 'weekday', 'region']
  for (const { query, condition } of filters)
    for (const [at, rows] of groups.entries()) {
      const viewer = at % 2 === 0 ? null : buyer
      const columns = groups[(at + 1) % groups.length] ?? 'month'
      const expected = await recountCells(database.pool, { keys: [rows, columns], condition, viewer })
      if (viewer === null) expect(expected.length, condition).toBeGreaterThan(0)
      const answer = await askAll({ rows, columns, ...query }, viewer)
      expect(cellsOf(answer), `${JSON.stringify(query)} ${rows} ${columns}`).toEqual(inOrder(expected))
    }
})

test('the cells and the rest add up to the totals for every limit of the top keys', async () => {
  const sumUp = (cells: readonly { leads?: number | null; profit?: number | null }[]) => ({
    leads: cells.reduce((sum, { leads }) => sum + (leads ?? 0), 0),
    profit: cells.reduce((sum, { profit }) => sum + Math.round((profit ?? 0) * 100), 0),
  })
  const recountTotals = async (viewer: typeof buyer | null) => ({
    viewer,
    expected: sumUp(await recountCells(database.pool, { keys: [], condition: 'true', viewer })),
  })
  const views = [await recountTotals(null), await recountTotals(buyer)] as const
  for (const [at, [rows, columns]] of pairs.entries()) {
    const { viewer, expected } = at % 2 === 0 ? views[0] : views[1]
    const query = {
      rows,
      columns,
      top_rows: 1 + (at % 4),
      top_columns: 1 + (at % 3),
      metrics: 'leads,profit',
    }
    const { items, totals, meta } = await answerQuestion(database.db, query, viewer)
    for (const part of [items, [totals], meta.row_totals, meta.column_totals])
      expect(sumUp(part.map((cell) => cell.metrics)), `${rows} by ${columns}`).toEqual(expected)
    if (meta.row_count > meta.row_totals.length) expect(meta.row_totals.at(-1)?.member.kind).toBe('rest')
  }
})

test('a text that has the separator of filters is one key', async () => {
  await database.pool.query(`update leads set region = 'r1' || chr(31) || 'r2' where region = 'r1'`)
  const expected = await recountCells(database.pool, {
    keys: ['region'],
    condition: periodCondition,
    viewer: null,
  })
  expect(cellsOf(await askAll({ rows: 'region', ...period }, null))).toEqual(inOrder(expected))
})
