import type { Page } from '@karvon/contract/lib/page.ts'
import { leadColumnFilters, type Lead, type LeadWithHistory } from '@karvon/contract/leads/leads.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildLead } from '../../../test/lead-database.ts'
import { createUser } from '../../../test/people.ts'
import { ingestLeads } from './leads.ingest.ts'

const sourceStatuses = [
  'new',
  'Accepted',
  'sent',
  'sold',
  'trash',
  'hold',
  'client_returned',
  'callback',
  'strange',
  'own',
]
// Both ends of two days in Tashkent, and the adjacent moments.
const moments = ['20T18:59:59.999', '20T19:00:00', '21T18:59:59.999', '21T19:00:00', '22T10:00:00']

let product: Product
let admin: Session
let buyer: Session
let sources: number[]

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  sources = [await newSource('One'), await newSource('Two'), await newSource('Hidden')]
  // A status whose type is no column of the reports.
  await product.deps.pool.query(
    `with type as (insert into status_types (name) values ('Own') returning id),
       status as (insert into statuses (name, type_id) select 'Own', id from type returning id)
     insert into source_statuses (name, source_name, status_id, source_id)
     select 'own', 'own', status.id, cpa_sources.id from status, cpa_sources`,
  )
  const role = await callApi(product.app, admin, 'POST', '/api/admin/roles/', {
    name: 'Buyer',
    code: 'buyer',
    source_ids: sources.slice(0, 2),
  })
  buyer = await createUser(product.app, admin, 'buyer', role.json<{ id: number }>().id)
  for (const [s, source] of sources.entries())
    await ingestLeads(product.deps.db, {
      sourceId: source,
      leads: Array.from({ length: 90 }, (_, i) =>
        buildLead(`${s}-${i % 7 === 0 ? 'A%' : 'B'}${i}`, {
          source_status: sourceStatuses[i % sourceStatuses.length] ?? 'new',
          payout: String(i),
          currency: i % 4 === 0 ? 'USD' : 'UZS',
          created_at: `2026-11-${moments[(i * 3) % moments.length]}Z`,
          offer: i % 5 === 0 ? null : `Offer ${i % 3}`,
          stream: i % 6 === 0 ? null : `Stream ${i % 4}`,
        }),
      ),
      origin: 'file',
    })
  await product.deps.pool.query(
    `update streams set user_id = (select id from users where username = 'buyer') where name in ('Stream 1', 'Stream 2')`,
  )
})
afterAll(() => product.close())

async function newSource(name: string): Promise<number> {
  const body = { name, url: 'https://network.example' }
  return (await callApi(product.app, admin, 'POST', '/api/admin/cpa-sources/', body)).json<{ id: number }>()
    .id
}

const list = async (as: Session, query: Record<string, string>) => {
  const path = as === admin ? 'admin' : 'user'
  const answer = await callApi(
    product.app,
    as,
    'GET',
    `/api/${path}/leads/?${new URLSearchParams(query).toString()}`,
  )
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<Page<Lead>>()
}

interface Kept {
  id: number
  external_id: string
  source_id: number
  offer_id: number | null
  stream_id: number | null
  status_id: number | null
  source_status: string
  column: string
  payout: number
  currency: string
  day: string
  at: string
  own: boolean
}

/** Every lead, read without the code of the list; its day is computed here. */
async function storedLeads(): Promise<Kept[]> {
  const { rows } = await product.deps.pool.query<Kept>(
    `select l.id, l.external_id, l.source_id, l.offer_id, l.stream_id, l.status_id, l.source_status, coalesce(t.code, 'none') as column,
       l.payout::float8 as payout, l.currency, l.created_at::text as at, l.source_id <> $1 and coalesce(st.name in ('Stream 1', 'Stream 2'), false) as own
     from leads l left join statuses s on s.id = l.status_id left join status_types t on t.id = s.type_id
       left join streams st on st.id = l.stream_id`,
    [sources[2]],
  )
  return rows.map((row) => ({
    ...row,
    day: new Date(Date.parse(row.at) + 5 * 3_600_000).toISOString().slice(0, 10),
  }))
}

/** Whether an id is in a text of ids with commas; 0 is none. */
const hasId = (ids: string, id: number | null) => ids.split(',').includes(String(id ?? 0))

const filters: Record<string, (value: string) => (row: Kept) => boolean> = {
  source_id: (value) => (row) => hasId(value, row.source_id),
  offer_id: (value) => (row) => hasId(value, row.offer_id),
  stream_id: (value) => (row) => hasId(value, row.stream_id),
  status_id: (value) => (row) => hasId(value, row.status_id),
  column: (value) => (row) => row.column === value,
  source_status: (value) => (row) => row.source_status.toLowerCase() === value.toLowerCase(),
  payout: (value) => (row) => row.payout === Number(value),
  currency: (value) => (row) => row.currency === value,
  day: (value) => (row) => row.day === value,
  start_date: (value) => (row) => row.day >= value,
  end_date: (value) => (row) => row.day <= value,
  external_id: (value) => (row) => row.external_id === value,
  search: (value) => (row) => row.external_id.startsWith(value),
}

type Pair = readonly [key: string, value: string]

/** Some values of each filter, alone and combined once with each value of each other filter. */
async function combinations(leads: readonly Kept[]): Promise<Record<string, string>[]> {
  const sample = leads.find((row) => row.own && row.offer_id !== null && row.column !== 'none')
  const values: Record<string, string[]> = {
    source_id: [String(sources[1]), `${sources[1]},${sources[2]}`],
    offer_id: ['0', String(sample?.offer_id), `0,${sample?.offer_id}`],
    stream_id: ['0', `${sample?.stream_id}`, `${sample?.stream_id},${(sample?.stream_id ?? 0) + 1}`],
    status_id: [`${sample?.status_id}`, `0,${sample?.status_id}`],
    column: [...leadColumnFilters],
    source_status: ['accepted', 'STRANGE'],
    payout: ['12', '12.5'],
    currency: ['USD', 'UZS'],
    day: ['2026-11-21', '2026-11-22'],
    start_date: ['2026-11-21'],
    end_date: ['2026-11-21', '2026-11-22'],
    external_id: [String(sample?.external_id)],
    search: ['0-A%', '1'],
  }
  const pairs = Object.entries(values).flatMap(([key, keyValues]) =>
    keyValues.map((value): Pair => [key, value]),
  )
  const isCombinable = (pair: Pair, other: Pair) => pair === other || pair[0] !== other[0]
  return [
    {},
    ...pairs.flatMap((pair, n) =>
      pairs
        .slice(n)
        .filter((other) => isCombinable(pair, other))
        .map((other) => Object.fromEntries([pair, other])),
    ),
  ]
}

describe.each(['admin', 'buyer'])('List of leads for the %s', (role) => {
  test('every pair of filters gives the expected leads, counts and pages', async () => {
    const leads = (await storedLeads()).filter((row) => role === 'admin' || row.own)
    const as = role === 'admin' ? admin : buyer
    let foundCount = 0
    for (const query of await combinations(leads)) {
      const matching = Object.entries(query).reduce(
        (rows, [key, value]) => rows.filter(filters[key]?.(value) ?? (() => false)),
        leads,
      )
      const { items, meta } = await list(as, { ...query, per_page: '200' })
      const message = JSON.stringify(query)
      expect(meta, message).toMatchObject({ total: leads.length, filtered_total: matching.length })
      const knownLeads = new Map(matching.map((row) => [row.id, row]))
      expect(new Set(items.map(({ id }) => id)).size, message).toBe(Math.min(200, matching.length))
      for (const item of items) expect(knownLeads.get(item.id)?.day, message).toBe(item.day)
      if (matching.length > 0) foundCount += 1
    }
    expect(foundCount).toBeGreaterThan(100)
  })

  test.each(['', 'id', '-id', 'external_id', '-external_id', 'created_at', '-updated_at', '-payout'])(
    'the pages of a list sorted by %s hold each lead once',
    async (sort) => {
      const as = role === 'admin' ? admin : buyer
      const whole = await list(as, { sort, per_page: '200' })
      const rows: Lead[] = []
      for (let page = 1; page <= Math.ceil(whole.items.length / 40); page++)
        rows.push(...(await list(as, { sort, per_page: '40', page: String(page) })).items)
      expect(rows.slice(0, whole.items.length).map(({ id }) => id)).toEqual(whole.items.map(({ id }) => id))
    },
  )
})

test.each(['0x10', '1e2', ' 5', '.5'])('the filter of leads by a payout of %j is refused', async (payout) => {
  const query = new URLSearchParams({ payout }).toString()
  const answer = await callApi(product.app, admin, 'GET', `/api/admin/leads/?${query}`)
  const error = { field: 'payout', code: 'must_be_number' }
  expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors: [error] }])
})

test('a search sorts by external id, unless another sort is set', async () => {
  const ids = async (query: Record<string, string>) =>
    (await list(admin, query)).items.map(({ external_id }) => external_id)
  expect(await ids({ search: '1-B1', per_page: '3' })).toEqual(['1-B1', '1-B10', '1-B11'])
  expect(await ids({ search: '1-B1', per_page: '2', sort: '-payout' })).toEqual(['1-B19', '1-B18'])
  expect(await ids({ search: '  ' })).toHaveLength(10)
})

test('exports hold all matching leads, and all unmapped statuses', async () => {
  const lines = async (as: Session, url: string) => {
    const answer = await callApi(product.app, as, 'GET', url)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.body.trimEnd().split('\r\n').length - 1
  }
  const leads = await storedLeads()
  expect(await lines(admin, '/api/admin/leads/?format=csv&per_page=1')).toBe(leads.length)
  const [source] = sources
  const soldLeads = leads.filter((row) => row.source_id === source && row.column === 'sold')
  expect(await lines(admin, `/api/admin/leads/?format=csv&source_id=${source}&column=sold`)).toBe(
    soldLeads.length,
  )
  expect(await lines(buyer, '/api/user/leads/?format=csv')).toBe(leads.filter((row) => row.own).length)
  expect(await lines(admin, '/api/admin/leads/unmapped/?format=csv')).toBe(6)
})

test('a person reads the history of an own lead, and gets 404 for others', async () => {
  const read = (id: number | undefined, as = buyer, path = 'user') =>
    callApi(product.app, as, 'GET', `/api/${path}/leads/${id}/`)
  const leads = await storedLeads()
  const ownLead = leads.find((row) => row.own)
  const answer = await read(ownLead?.id)
  expect(answer.json<LeadWithHistory>()).toMatchObject({ id: ownLead?.id, history: [{ origin: 'file' }] })
  const foreignLeads = [
    leads.find((row) => row.source_id === sources[0] && !row.own),
    // Of an own stream, at a source that the role may not see.
    leads.find((row) => row.source_id === sources[2] && row.stream_id !== null),
  ]
  for (const row of foreignLeads) {
    expect((await read(row?.id)).statusCode).toBe(404)
    expect((await read(row?.id, admin, 'admin')).statusCode).toBe(200)
  }
  expect((await read(999_999)).statusCode).toBe(404)
})
