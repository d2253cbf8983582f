import type { Page } from '@karvon/contract/lib/page.ts'
import type { Statement } from '@karvon/contract/payouts/statements.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { createMoneyFixture } from '../../../test/money.ts'

const { product, admin, call, createPerson } = await createMoneyFixture()
afterAll(() => product.close())

describe('A statement', () => {
  test('has the figures of its days, is closed once, and people read their own alone', async () => {
    const [buyer, other] = [await createPerson(1), await createPerson(1)]
    // Entries of the past, as the product posted them then.
    const post = (at: string, cause: string, amount: number) =>
      product.deps.pool.query(
        `insert into ledger_entries (cause_type, cause_id, account_kind, ref_id, currency, amount, created_at)
         values ($1, 1, 'person', $2, 'USD', -$3::numeric, $4), ($1, 1, 'paid', 0, 'USD', $3, $4)`,
        [cause, buyer.id, amount, at],
      )
    await post('2026-01-31T18:59:59Z', 'lead', 1000)
    await post('2026-01-31T19:00:00Z', 'lead', 70.25)
    await post('2026-02-10T10:00:00Z', 'lead', -20)
    await post('2026-02-11T10:00:00Z', 'adjustment', 5)
    await post('2026-02-28T18:59:59Z', 'withdrawal', -500)
    await post('2026-02-28T19:00:00Z', 'lead', 9)
    const period = { user_id: buyer.id, currency: 'USD', start_date: '2026-02-01', end_date: '2026-02-28' }
    const close = (more: object = {}) => call(admin, 'POST', '/api/admin/statements/', { ...period, ...more })
    const closed = await close()
    expect(closed.statusCode, closed.body).toBe(201)
    const { id, ...figures } = closed.json<Statement>()
    expect(figures).toMatchObject({
      opening: 1000,
      earned: 70.25,
      reversed: -20,
      adjusted: 5,
      paid: -500,
      closing: 555.25,
      entries: 4,
    })
    expect((await close({ start_date: '2026-02-28', end_date: '2026-03-01' })).json()).toMatchObject({
      code: 'statement_overlaps',
    })
    expect((await close({ end_date: '2999-01-01' })).json()).toMatchObject({ code: 'period_not_over' })
    const url = `/api/user/statements/${id}/entries/?sort=id`
    const lines = (await call(buyer.session, 'GET', url)).json<Page<{ amount: number }>>()
    expect(lines.items.map(({ amount }) => amount)).toEqual([70.25, -20, 5, -500])
    expect((await call(other.session, 'GET', url)).statusCode).toBe(404)
  })
})
