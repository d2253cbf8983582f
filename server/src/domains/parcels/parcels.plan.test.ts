import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Product } from '../../../test/app.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { buildPageStatement } from '../../resources/lists.queries.ts'
import { findReportedParcel } from './parcels.accounts.queries.ts'
import { buildParcelList } from './parcels.queries.ts'

let product: Product
let account: number
beforeAll(async () => {
  product = await createTestApp()
  const { rows } = await product.deps.pool.query<{ id: number }>(
    `insert into courier_accounts (name, url, login, user_id) select 'C', 'https://c.example', 'l', id from users returning id`,
  )
  account = rows[0]?.id ?? 0
  await product.deps.pool.query(
    `insert into parcels (orderno, owner_id, courier_account_id, status_code, status_title, eventtime, day)
     select 'P-' || n, case when n % 7 = 0 then u.id end, case when n % 7 = 0 then $1::bigint end,
       (array['NEW', 'PENDING', 'DELIVERY', 'COMPLETE', 'CANCELED'])[1 + n % 5], 'Новый', at, at::date
     from (select n, timestamptz '2024-01-01' + n * interval '1 hour' as at from generate_series(1, 20000) n) s, users u`,
    [account],
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

test('the parcel of an order that an account has reported is found in an index', async () => {
  const parcel = findReportedParcel({ account, owner: 1, orderno: sql.ref('o.orderno') })
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain (costs off) select ${parcel} from unnest(array['P-7', 'P-8']) o (orderno)`.execute(
    product.deps.db,
  )
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(
    'using parcels_courier_account_id_orderno_key',
  )
})
