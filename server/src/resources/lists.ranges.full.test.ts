import { offers } from '@karvon/contract/offers/offers.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Product } from '../../test/app.ts'
import { buildResourceList } from './crud.queries.ts'
import { buildPageStatement } from './lists.queries.ts'
import { rangedTables } from './lists.ranges.ts'
import { rowCountsCheck } from './lists.check.ts'

let product: Product
beforeAll(async () => {
  product = await createTestApp()
  await product.deps.pool.query(
    `insert into cpa_sources (name, url) values ('Source', 'https://example.com')`,
  )
})
afterAll(() => product.close())

const run = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await product.deps.pool.query<Row>(text, values)).rows

const insertOffers = (count: number) =>
  run(
    `insert into offers (name, price, affiliate_fee, store_name, status_id, source_id)
     select 'Offer ' || n, 1, 1, 'Store', (select min(id) from statuses), (select min(id) from cpa_sources)
     from generate_series(1, $1::int) n`,
    [count],
  )

async function readPageIds(sort: string, offset: number, size: number): Promise<number[]> {
  const { text, values } = buildPageStatement(buildResourceList(offers, { sort }), { offset, size })
  const [row] = await run<{ items: string }>(text, values)
  return (JSON.parse(row?.items ?? '') as { id: number }[]).map(({ id }) => id)
}

async function expectSamePages(): Promise<void> {
  const rows = await run<{ id: number }>('select id from offers order by id')
  const allIds = rows.map(({ id }) => id)
  const orders = [
    ['id', allIds],
    ['-id', allIds.toReversed()],
  ] as const
  for (const [sort, ids] of orders)
    for (const size of [10, 37])
      for (let offset = 1; offset < ids.length + size; offset += 619)
        expect(await readPageIds(sort, offset, size), `${sort} ${offset}`).toEqual(
          ids.slice(offset, offset + size),
        )
  const client = await product.deps.sessionPool.connect()
  expect((await rowCountsCheck.run(client)).faults).toEqual([])
  client.release()
}

test('pages found by ranges are those of all rows, after inserts, gaps, deletes and rollbacks', async () => {
  await insertOffers(9000)
  await expectSamePages()
  await run('delete from offers where id % 3 = 0 or id between 300 and 1100')
  await expectSamePages()
  await run(`select setval(pg_get_serial_sequence('offers', 'id'), 262100)`)
  await insertOffers(400)
  const client = await product.deps.pool.connect()
  await client.query('begin')
  await client.query('delete from offers where id < 5000')
  // The transaction that deletes sees its own pages, and all others see the old ones.
  const { text, values } = buildPageStatement(buildResourceList(offers, { sort: 'id' }), {
    offset: 1,
    size: 10,
  })
  const inside = await client.query<{ items: string }>(text, values)
  const rest = await client.query<{ id: number }>('select id from offers order by id limit 10 offset 1')
  expect((JSON.parse(inside.rows[0]?.items ?? '') as { id: number }[]).map(({ id }) => id)).toEqual(
    rest.rows.map(({ id }) => id),
  )
  await expectSamePages()
  await client.query('rollback')
  client.release()
  await expectSamePages()
  await run('delete from offers')
  await expectSamePages()
})

test('parallel writers of many slots keep the ranges exact', async () => {
  await Promise.all(
    Array.from({ length: 24 }, async (_, n) => {
      await insertOffers(50 + n)
      await run('delete from offers where id % 24 = $1', [n])
    }),
  )
  const slots = await run<{ slots: number }>(
    `select count(distinct slot) as slots from row_ranges where table_name = 'offers'`,
  )
  expect(slots[0]?.slots).toBeGreaterThan(1)
  await expectSamePages()
})

test('the tables with ranges in code are those with triggers in the database', async () => {
  const tables = await run<{ name: string }>(
    `select tgrelid::regclass::text as name from pg_trigger where tgname = 'count_ranges_inserted' order by name`,
  )
  expect(tables.map(({ name }) => name)).toEqual([...rangedTables].toSorted((a, b) => (a < b ? -1 : 1)))
})
