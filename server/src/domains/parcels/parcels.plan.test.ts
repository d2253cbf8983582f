import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Product } from '../../../test/app.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { buildPageStatement } from '../../resources/lists.queries.ts'
import { buildParcelList } from './parcels.queries.ts'

let product: Product
beforeAll(async () => {
  product = await createTestApp()
  await product.deps.pool.query(
    `insert into parcels (orderno, owner_id, status_code, status_title, eventtime, day)
     select 'P-' || n, case when n % 7 = 0 then u.id end,
       (array['NEW', 'PENDING', 'DELIVERY', 'COMPLETE', 'CANCELED'])[1 + n % 5], 'Новый', at, at::date
     from (select n, timestamptz '2024-01-01' + n * interval '1 hour' as at from generate_series(1, 20000) n) s, users u`,
  )
  await product.deps.sessionPool.query('vacuum analyze parcels')
})
afterAll(() => product.close())

/** The plan of the first page. PostgreSQL reads rows of parcels only where no index has all columns. */
async function explain(query: Parameters<typeof buildParcelList>[0], isAdmin: boolean): Promise<string> {
  const person = { userId: 1, roleId: 1, isAdmin } as Identity
  const { text, values } = buildPageStatement(buildParcelList(query, person, 'UZS'), { size: 10, offset: 0 })
  const client = await product.deps.sessionPool.connect()
  try {
    await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, values)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test('parcels of a period are counted by status in an index of days', async () => {
  const period = { date_from: '2024-02-01', date_to: '2024-02-29' }
  expect(await explain(period, true)).toContain('Index Only Scan using parcels_day_list on parcels p_1')
  expect(await explain(period, false)).toContain('Index Only Scan using parcels_owner_list on parcels p_2')
})

test('a page in the order of the last events reads their index alone', async () => {
  expect(await explain({ sort: 'eventtime' }, true)).toContain('Index Only Scan using parcels_eventtime')
  expect(await explain({ sort: '-eventtime' }, true)).toContain(
    'Index Only Scan Backward using parcels_eventtime',
  )
})
