import type { PageMeta } from '@karvon/contract/lib/page.ts'
import { offers } from '@karvon/contract/offers/offers.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import type { PageRange } from '../platform/http/paging.ts'
import { buildResourceList, type ResourceQuery } from './crud.queries.ts'
import { buildPageStatement } from './lists.queries.ts'

const rows = 100_000
let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  // A busy machine may need longer than the usual time limit of a statement for so many rows.
  const client = await product.deps.sessionPool.connect()
  await client.query('set statement_timeout = 0')
  await client.query(
    `insert into cpa_sources (name, url) select 'Source ' || n, 'https://example.com' from generate_series(1, 20) n`,
  )
  await client.query(
    `insert into offers (name, price, affiliate_fee, store_name, status_id, source_id, extra_id, master_offer_id)
     select 'Offer ' || md5(n::text), n % 5000 + 0.29, n % 700, 'Store ' || n % 300, n % 7 + 1, n % 20 + 1, 'x' || n, nullif(n % 3, 0)
     from generate_series(1, $1::int) n`,
    [rows],
  )
  await client.query('vacuum analyze')
  client.release(true)
})
afterAll(() => product.close())

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Plan Rows': number
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}

/** Nodes that read rows of offers, in the plan that a statement has after some runs. */
async function readsOf(
  query: ResourceQuery,
  range: PageRange,
  fromEnd = false,
): Promise<{ node: string; rows: number }[]> {
  const { text, values } = buildPageStatement(buildResourceList(offers, query), range, fromEnd)
  const client = await product.deps.sessionPool.connect()
  try {
    await client.query(`prepare list as ${text}`)
    const argumentText = values
      .map((value) => (typeof value === 'number' ? value : client.escapeLiteral(String(value))))
      .join(', ')
    const statement = `execute list ${argumentText && `(${argumentText})`}`
    for (let i = 0; i < 8; i += 1) await client.query(statement)
    const result = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (analyze, format json) ${statement}`,
    )
    const reads: { node: string; rows: number }[] = []
    const walk = (plan: Plan | undefined): void => {
      if (plan === undefined) return
      if (plan['Relation Name'] === 'offers') {
        reads.push({ node: plan['Node Type'], rows: plan['Actual Rows'] * plan['Actual Loops'] })
      }
      for (const child of plan.Plans ?? []) walk(child)
    }
    walk(result.rows[0]?.['QUERY PLAN'][0]?.Plan)
    expect(reads.length).toBeGreaterThan(0)
    return reads
  } finally {
    client.release(true)
  }
}

describe('A list of 100,000 rows', () => {
  test.each([
    'id',
    'name',
    '-price',
    'affiliate_fee',
    '-store_name',
    'source_id',
    '-status_id',
    'extra_id',
    '-extra_id',
    '-source_id',
    'created_at',
  ])('a list sorted by %s reads one page only', async (sort) => {
    for (const reads of [
      await readsOf({ sort }, { size: 10, offset: 0 }),
      await readsOf({ sort }, { size: 10, offset: 10 }),
    ]) {
      expect(reads.map((read) => read.node)).not.toContain('Seq Scan')
      for (const read of reads) expect(read.rows, JSON.stringify(reads)).toBeLessThanOrEqual(30)
    }
  })

  test('a page in the middle is found without reading the rows before it', async () => {
    const reads = await readsOf({ sort: 'price' }, { size: 10, offset: 40_000 })
    expect(reads.map((read) => read.node)).toContain('Index Only Scan')
    expect(reads.filter((read) => read.node !== 'Index Only Scan').every((read) => read.rows <= 30)).toBe(
      true,
    )
  })

  test.each(['id', '-id'])(
    'a page of any depth sorted by %s reads less than one range of ids',
    async (sort) => {
      for (const offset of [10, 777, 50_000, 99_990]) {
        const reads = await readsOf({ sort }, { size: 10, offset })
        for (const read of reads) expect(read.rows, JSON.stringify(reads)).toBeLessThan(256 + 10)
      }
    },
  )

  test('the last page of a list is read from its end', async () => {
    const reads = await readsOf({ sort: 'name' }, { size: 10, offset: 0 }, true)
    for (const read of reads) expect(read.rows, JSON.stringify(reads)).toBeLessThanOrEqual(30)
  })

  test('a filter of a list counts and finds its rows in its index', async () => {
    const reads = await readsOf({ source_id: 3 }, { size: 11, offset: 0 })
    expect(reads.map((read) => read.node)).not.toContain('Seq Scan')
    for (const read of reads) expect(read.rows).toBeLessThanOrEqual(rows / 20)
  })

  test('a search of a list uses the trigram index', async () => {
    const reads = await readsOf({ search: 'd41d8' }, { size: 11, offset: 0 })
    expect(reads.map((read) => read.node)).not.toContain('Seq Scan')
  })

  test('a page of a list is the same from either end', async () => {
    const page = async (query: string) =>
      (await callApi(product.app, admin, 'GET', `/api/admin/offers/?${query}`)).json<{
        items: { id: number }[]
        meta: PageMeta
      }>()
    const first = await page('sort=price&per_page=100&page=1')
    expect(first.meta).toMatchObject({ total: rows, last_page: 1000 })
    for (const number of [501, 777, 1000]) {
      const fromEnd = await page(`sort=price&per_page=100&page=${number}`)
      const forward = await page(`sort=-price&per_page=100&page=${1001 - number}`)
      expect(fromEnd.items.map((row) => row.id)).toEqual(forward.items.map((row) => row.id).toReversed())
    }
    const short = await page('sort=price&per_page=30&page=3334')
    expect(short.items).toHaveLength(10)
    expect((await page('sort=price&per_page=30&page=3335')).items).toEqual([])
  })

  test('a list reads from the end only while the row count is known', async () => {
    const ids = async () => {
      const answer = await callApi(
        product.app,
        admin,
        'GET',
        '/api/admin/offers/?sort=created_at&per_page=10&page=9990',
      )
      return answer.json<{ items: { id: number }[] }>().items.map((row) => row.id)
    }
    const before = await ids()
    expect(before).toEqual(Array.from({ length: 10 }, (_, i) => 99_891 + i))
    await product.deps.pool.query('delete from offers where id = 99950')
    expect(await ids()).toEqual(before)
    expect(await ids()).toEqual(before)
  })

  test('money is shown as exactly as it is stored', async () => {
    const answer = await callApi(product.app, admin, 'GET', '/api/admin/offers/?sort=id&per_page=1')
    expect(answer.body).toContain('"price":1.29')
  })
})
