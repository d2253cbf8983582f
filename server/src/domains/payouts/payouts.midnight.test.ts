import type { Page } from '@karvon/contract/lib/page.ts'
import type { Statement } from '@karvon/contract/payouts/statements.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createUser, readId } from '../../../test/people.ts'

/** In Havana 2 November 2025 has two midnights, one hour apart. The first three moments are on 2 November, the last is not. */
const moments = [
  '2025-11-02T04:00:00Z',
  '2025-11-02T04:30:00Z',
  '2025-11-02T05:30:00Z',
  '2025-11-02T03:59:59Z',
]

let product: Product
let admin: Session
let userId = 0

beforeAll(async () => {
  product = await createTestApp({ KARVON_TIMEZONE: 'America/Havana' })
  admin = await signInAdmin(product.app)
  await createUser(product.app, admin, 'buyer')
  userId = await readId(product.app, admin, '/api/admin/users/?username=buyer')
})
afterAll(() => product.close())

test('a list and a statement of a day have both of its first hours where the clocks go back to midnight', async () => {
  await product.deps.pool.query(
    `insert into withdrawals (user_id, currency, amount, status, details, requested_at)
     select $1, 'UZS', 1, 'declined', '••••', m from unnest($2::timestamptz[]) m`,
    [userId, moments],
  )
  await product.deps.pool.query(
    `insert into ledger_entries (cause_type, cause_id, account_kind, ref_id, currency, amount, created_at)
     select 'lead', n, a.kind, a.ref_id, 'UZS', a.amount, m from unnest($2::timestamptz[]) with ordinality e (m, n)
     cross join lateral (values ('person', $1::bigint, -1), ('paid', 0, 1)) a (kind, ref_id, amount)`,
    [userId, moments],
  )
  for (const [day, count] of [
    ['2025-11-01', 1],
    ['2025-11-02', 3],
  ] as const) {
    for (const list of ['withdrawals', 'ledger/entries']) {
      const url = `/api/admin/${list}/?start_date=${day}&end_date=${day}&kind=person`
      const { meta } = (await callApi(product.app, admin, 'GET', url)).json<Page<object>>()
      expect(meta.filtered_total, `${list} ${day}`).toBe(count)
    }
    const period = { user_id: userId, currency: 'UZS', start_date: day, end_date: day }
    const answer = await callApi(product.app, admin, 'POST', '/api/admin/statements/', period)
    expect(answer.json<Statement>(), answer.body).toMatchObject({ entries: count, earned: count })
  }
})
