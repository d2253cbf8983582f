import type { Page } from '@karvon/contract/lib/page.ts'
import type { Lead, LeadWithHistory } from '@karvon/contract/leads/leads.ts'
import type { UnmappedStatus } from '@karvon/contract/leads/unmapped.ts'
import type { Figures } from '@karvon/contract/reports/reports.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildLead } from '../../../test/lead-database.ts'
import { createRow, readId } from '../../../test/people.ts'
import { lockStatusesExclusive } from './leads.status-lock.queries.ts'
import { ingestLeads } from './leads.ingest.ts'
import { leadRemapsJob } from './leads.jobs.ts'
import { remapLeads } from './leads.remap.ts'

let product: Product
let admin: Session
let source: number

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  source = await create('/api/admin/cpa-sources/', { name: 'Network', url: 'https://network.example' })
})

afterAll(() => product.close())

const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: Record<string, unknown>) =>
  callApi(product.app, admin, method, url, body)

const create = (url: string, body: Record<string, unknown>) => createRow(product.app, admin, url, body)

async function get<T>(url: string): Promise<T> {
  const answer = await callApi(product.app, admin, 'GET', url)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<T>()
}

const status = (name: string) => readId(product.app, admin, `/api/admin/statuses/?name=${name}`)
const listUnmapped = (query = '') => get<Page<UnmappedStatus>>(`/api/admin/leads/unmapped/?${query}`)
const columnOf = async (id: string) =>
  (await get<Page<Lead>>(`/api/admin/leads/?external_id=${id}`)).items[0]?.column
const totals = async () => (await get<{ meta: { totals: Figures } }>('/api/admin/report/daily')).meta.totals
const ingest = (...sourceStatuses: string[]) =>
  ingestLeads(product.deps.db, {
    sourceId: source,
    leads: sourceStatuses.map((source_status, i) => buildLead(`${source_status} ${i}`, { source_status })),
    origin: 'file',
  })

test('unmapped statuses are listed with their leads, and those that differ in case as one', async () => {
  await ingest('Доставлен', 'доставлен', 'ДОСТАВЛЕН', 'not_delivered', 'sold')
  const { items, meta } = await listUnmapped()
  expect(items.map(({ word, leads }) => [word.toLowerCase(), leads])).toEqual([
    ['доставлен', 3],
    ['not_delivered', 1],
  ])
  expect(items[0]).toMatchObject({ source_id: source, source: { id: source, name: 'Network' } })
  expect(meta).toMatchObject({ total: 2, filtered_total: 2 })
  expect((await listUnmapped('sort=word')).items.map(({ leads }) => leads)).toEqual([1, 3])
  expect((await listUnmapped('search=ДОСТ')).meta).toMatchObject({ total: 2, filtered_total: 1 })
  expect((await listUnmapped('source_id=999')).items).toEqual([])
  expect((await listUnmapped('per_page=1&page=2')).items).toMatchObject([{ word: 'not_delivered' }])
})

test('a new, changed or deleted mapping applies to the stored leads', async () => {
  const before = await totals()
  const mapping = await create('/api/admin/source-statuses/', {
    name: 'Доставлен',
    source_name: 'доставлен',
    status_id: await status('Sold'),
    source_id: source,
  })
  expect(await columnOf('Доставлен 0')).toBe('sold')
  expect(await totals()).toMatchObject({
    leads: before.leads,
    sold: before.sold + 3,
    profit: before.profit + 30,
  })
  expect((await listUnmapped()).items).toMatchObject([{ word: 'not_delivered' }])

  const change = (body: Record<string, unknown>) =>
    send('POST', `/api/admin/source-statuses/${mapping}/`, body)
  await change({ status_id: await status('Hold') })
  expect(await columnOf('Доставлен 0')).toBe('hold')
  // With another source status, the first one is unmapped again and the other is mapped.
  await change({ source_name: 'not_delivered' })
  expect([await columnOf('Доставлен 0'), await columnOf('not_delivered 3')]).toEqual([null, 'hold'])
  await change({ source_name2: 'ДОСТАВЛЕН' })
  expect(await columnOf('доставлен 1')).toBe('hold')
  await change({ name: 'Renamed alone' })

  const [first] = (
    await get<Page<Lead>>(`/api/admin/leads/?external_id=${encodeURIComponent('Доставлен 0')}`)
  ).items
  const { history, updated_at } = await get<LeadWithHistory>(`/api/admin/leads/${first?.id}/`)
  expect(updated_at).toBe('2026-11-20T15:00:00+05:00')
  expect(history.map((entry) => [entry.origin, entry.status?.name ?? null])).toEqual([
    ['mapping', 'Hold'],
    ['mapping', null],
    ['mapping', 'Hold'],
    ['mapping', 'Sold'],
    ['file', null],
  ])

  expect((await send('DELETE', `/api/admin/source-statuses/${mapping}/`)).statusCode).toBe(200)
  expect((await listUnmapped()).items.map(({ leads }) => leads)).toEqual([3, 1])
  expect(await totals()).toEqual(before)
  expect(await countQueuedRemaps()).toBe(0)
})

test('a mapping of an admin replaces the default mapping of a new source, and a second one is a duplicate', async () => {
  await ingest('sold', 'hold', '5', 'pending')
  const mapping = { status_id: await status('Returned'), source_id: source }
  const names = async () =>
    (
      await get<Page<{ source_name: string; source_name2: string | null }>>(
        '/api/admin/source-statuses/?limit=200',
      )
    ).items
      .filter(
        ({ source_name: first, source_name2: second }) =>
          /^(sold|hold|5|pending)$/i.test(first) || second === '5',
      )
      .map(({ source_name: first, source_name2: second }) => (second === null ? first : `${first}/${second}`))
      .toSorted()
  expect(await names()).toEqual(['hold/5', 'pending/2', 'sold'])

  await create('/api/admin/source-statuses/', { ...mapping, name: 'Sold', source_name: 'SOLD' })
  await create('/api/admin/source-statuses/', { ...mapping, name: 'Hold', source_name: 'hold' })
  expect(await names()).toEqual(['5', 'SOLD', 'hold', 'pending/2'])
  expect([await columnOf('sold 0'), await columnOf('hold 1'), await columnOf('5 2')]).toEqual([
    'returned',
    'returned',
    'hold',
  ])
  const second = { ...mapping, name: 'Second', source_name: 'Ожидает', source_name2: 'pending' }
  await create('/api/admin/source-statuses/', second)
  expect(await columnOf('pending 3')).toBe('returned')

  const again = await send('POST', '/api/admin/source-statuses/', {
    ...mapping,
    name: 'x',
    source_name: 'sold',
  })
  expect([again.statusCode, again.json()]).toMatchObject([409, { code: 'already_exists' }])
})

test('a mapping leaves an overridden lead unchanged, and the override is in the history and the audit log', async () => {
  await ingest('lost')
  const [lead] = (await get<Page<Lead>>('/api/admin/leads/?external_id=lost%200')).items
  const body = { ids: [lead?.id, 999_999], status_id: await status('Returned'), comment: 'By phone' }
  expect((await send('POST', '/api/admin/leads/state/', body)).json()).toEqual({ changed: 1 })
  expect((await send('POST', '/api/admin/leads/state/', body)).json()).toEqual({ changed: 0 })
  const mapping = { name: 'lost', source_name: 'lost', status_id: await status('Sold'), source_id: source }
  await create('/api/admin/source-statuses/', mapping)
  const after = await get<LeadWithHistory>(`/api/admin/leads/${lead?.id}/`)
  expect(after).toMatchObject({ column: 'returned', is_status_overridden: true, source_status: 'lost' })
  expect(after.history).toMatchObject([{ origin: 'admin', reason: 'By phone' }, { origin: 'file' }])
  const { rows } = await product.deps.pool.query(
    `select action, old_values, new_values from audit_log where resource = 'leads'`,
  )
  expect(rows).toEqual([
    {
      action: 'update',
      old_values: { leads: [{ status_id: null, ids: [lead?.id] }] },
      new_values: { leads: [lead?.id], status_id: body.status_id, comment: 'By phone' },
    },
  ])
})

test.each([
  [{ ids: [], status_id: 1 }, 'ids'],
  [{ ids: Array.from({ length: 1001 }, (_, i) => i), status_id: 1 }, 'ids'],
  [{ ids: [1], status_id: 999_999 }, 'status_id'],
  [{ ids: [1] }, 'status_id'],
  [{ ids: ['1'], status_id: 1 }, 'ids'],
])('a status change with %o is answered with 422', async (body, field) => {
  const answer = await send('POST', '/api/admin/leads/state/', body)
  expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors: [{ field }] }])
})

test('an inactive status is not set', async () => {
  const status_id = await create('/api/admin/statuses/', { name: 'Old', type_id: 1, is_active: false })
  const answer = await send('POST', '/api/admin/leads/state/', { ids: [1], status_id })
  expect([answer.statusCode, answer.json()]).toMatchObject([
    422,
    { errors: [{ field: 'status_id', code: 'status_inactive' }] },
  ])
})

test('a mapping and simultaneous leads wait for each other', async () => {
  const { db, pool } = product.deps
  const countBlocked = async () => {
    const text = "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'"
    return (await pool.query(text)).rowCount
  }
  const reportLead = (id: string) =>
    ingestLeads(db, { sourceId: source, leads: [buildLead(id, { source_status: 'late' })], origin: 'file' })
  const mapping = { name: 'late', source_name: 'late', source_id: source }

  // The mapping commits first: a lead that arrives meanwhile uses it.
  const change = await db.startTransaction().execute()
  await lockStatusesExclusive(change)
  await change
    .insertInto('source_statuses')
    .values({ ...mapping, source_name2: null, status_id: await status('Hold') })
    .execute()
  const ingesting = reportLead('after')
  await expect.poll(countBlocked).toBe(1)
  await change.commit().execute()
  await ingesting
  expect(await columnOf('after')).toBe('hold')

  // The leads commit first: the mapping waits for them and applies to them.
  const [{ id } = { id: 0 }] = (await get<Page<{ id: number }>>('/api/admin/source-statuses/?name=late'))
    .items
  const transaction = await db.startTransaction().execute()
  await ingestLeads(transaction, {
    sourceId: source,
    leads: [buildLead('before', { source_status: 'late' })],
    origin: 'file',
  })
  const status_id = await status('Sold')
  const changing = send('POST', `/api/admin/source-statuses/${id}/`, { status_id })
  await expect.poll(countBlocked).toBe(1)
  await transaction.commit().execute()
  expect((await changing).statusCode).toBe(200)
  expect([await columnOf('before'), await columnOf('after')]).toEqual(['sold', 'sold'])
  await send('DELETE', `/api/admin/source-statuses/${id}/`)
})

const countQueuedRemaps = async () =>
  (await product.deps.pool.query<{ n: number }>('select count(*) as n from lead_remaps')).rows[0]?.n

test('a large remap continues in the background after interruptions', async () => {
  const { sessionDb: db, pool } = product.deps
  for (let at = 0; at < 5; at++)
    await ingestLeads(db, {
      sourceId: source,
      leads: Array.from({ length: 1000 }, (_, i) =>
        buildLead(`many ${at * 1000 + i}`, { source_status: 'many' }),
      ),
      origin: 'file',
    })
  const { rows } = await pool.query<{ id: number }>(
    `insert into source_statuses (name, source_name, status_id, source_id) values ('m', 'MANY', $1, $2) returning id`,
    [await status('Sent'), source],
  )
  const remap = () =>
    pool.query(`insert into lead_remaps (source_id, source_status) values ($1, 'many')`, [source])
  const countRemappedLeads = async () =>
    (
      await pool.query<{ n: number }>(
        `select count(*) as n from leads l join statuses s on s.id = l.status_id where source_status = 'many' and s.name = 'Sent'`,
      )
    ).rows[0]?.n
  await remap()
  expect(await remapLeads(db, AbortSignal.abort())).toEqual({ hasMore: true, leads: 0 })
  expect(await remapLeads(db, AbortSignal.timeout(60_000), { maxLeadsPerStatus: 2000 })).toEqual({
    hasMore: true,
    leads: 2000,
  })
  expect([await countRemappedLeads(), await countQueuedRemaps()]).toEqual([2000, 1])
  // The process dies during the remap: uncommitted work is undone, and the next run continues.
  const stopping = new AbortController()
  const cutting = db.withPlugin({
    transformQuery({ node }) {
      if (node.kind === 'RawNode' && node.sqlFragments[0]?.startsWith('fetch')) stopping.abort()
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  expect(await remapLeads(cutting, stopping.signal)).toMatchObject({ hasMore: true })
  expect(await countRemappedLeads()).toBeGreaterThan(2000)
  expect(await countRemappedLeads()).toBeLessThan(5000)
  expect(await leadRemapsJob(product.deps).run(AbortSignal.timeout(60_000))).toMatchObject({ hasMore: false })
  expect([await countRemappedLeads(), await countQueuedRemaps()]).toEqual([5000, 0])
  expect((await totals()).send).toBe(5000)
  await send('DELETE', `/api/admin/source-statuses/${rows[0]?.id}`)
  // The call has a time limit of its own.
  await leadRemapsJob(product.deps).run(AbortSignal.timeout(60_000))
  expect(await countRemappedLeads()).toBe(0)
})
