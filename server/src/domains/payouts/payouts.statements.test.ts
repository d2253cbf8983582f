import type { Page } from '@karvon/contract/lib/page.ts'
import type { Statement } from '@karvon/contract/payouts/statements.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { callApi, testKey } from '../../../test/app.ts'
import { createMoneyFixture } from '../../../test/money.ts'
import { buildApp } from '../../app.ts'
import { openDeps, openLog } from '../../deps.ts'

const { product, admin, call, createPerson } = await createMoneyFixture()
afterAll(() => product.close())

/** The lines by each of the four calls that list them. */
const fourTimes = (amounts: number[]) => Array.from({ length: 4 }, () => amounts)

/** Entries of a person, as the product posted them at a time. The amounts have the sign of what the person earned. */
const postAt = async (personId: number, at: string, entries: readonly [cause: string, amount: number][]) => {
  await product.deps.pool.query(
    `insert into ledger_entries (cause_type, cause_id, account_kind, ref_id, currency, amount, created_at)
     select split_part(e.cause, ' ', 1), split_part(e.cause, ' ', 2)::bigint, account.kind, account.ref_id, 'USD',
       account.sign * e.amount, $2::timestamptz
     from unnest($3::text[], $4::numeric[]) with ordinality e (cause, amount, number)
     cross join lateral (values ('person', $1::bigint, -1), ('paid', 0, 1)) account (kind, ref_id, sign)
     order by e.number`,
    [personId, at, entries.map(([cause]) => cause), entries.map(([, amount]) => amount)],
  )
}

describe('Statements', () => {
  test('a statement has the figures of its days, is closed once, and is read by its own person only', async () => {
    const [buyer, otherBuyer] = [await createPerson(1), await createPerson(1)]
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
    const close = (values: object = {}) =>
      call(admin, 'POST', '/api/admin/statements/', { ...period, ...values })
    const closeAnswer = await close()
    expect(closeAnswer.statusCode, closeAnswer.body).toBe(201)
    const { id, ...figures } = closeAnswer.json<Statement>()
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
    const reversedAnswer = await close({ end_date: '2026-01-31' })
    expect(reversedAnswer.statusCode).toBe(422)
    expect(reversedAnswer.json()).toMatchObject({ errors: [{ code: 'period_reversed' }] })
    for (const [search, ids] of [
      ['usd', [id]],
      ['2026-02', [id]],
      ['uzs', []],
    ] as const) {
      const found = await call(buyer.session, 'GET', `/api/user/statements/?search=${search}`)
      expect(
        found.json<Page<Statement>>().items.map((statement) => statement.id),
        search,
      ).toEqual(ids)
    }
    const url = `/api/user/statements/${id}/entries/?sort=id`
    const lines = (await call(buyer.session, 'GET', url)).json<Page<{ amount: number }>>()
    expect(lines.items.map(({ amount }) => amount)).toEqual([70.25, -20, 5, -500])
    expect((await call(otherBuyer.session, 'GET', url)).statusCode).toBe(404)
    const otherAnswer = await call(otherBuyer.session, 'GET', `/api/user/entries/?statement_id=${id}`)
    expect(otherAnswer.json<Page<object>>()).toMatchObject({ items: [], meta: { filtered_total: 0 } })
  })

  test('a statement is exact up to its largest sum, and one with a larger sum is refused', async () => {
    const buyer = await createPerson(1)
    const close = (month: string) =>
      call(admin, 'POST', '/api/admin/statements/', {
        user_id: buyer.id,
        currency: 'USD',
        start_date: `2026-${month}-01`,
        end_date: `2026-${month}-28`,
      })
    const largest = Array.from({ length: 9 }, (_item, n): [string, number] => [`lead ${n + 1}`, 1e15])
    await postAt(buyer.id, '2026-01-10T10:00:00Z', [...largest, ['lead 10', 999_999_999_999_999]])
    const closeAnswer = await close('01')
    expect(closeAnswer.body).toContain('"closing" : 9999999999999999.00')
    await postAt(buyer.id, '2026-02-10T10:00:00Z', [['lead 11', 1]])
    const refusal = await close('02')
    expect(refusal.statusCode).toBe(422)
    expect(refusal.json()).toMatchObject({ code: 'value_unfit' })
    const file = await call(admin, 'GET', `/api/admin/statements/?user_id=${buyer.id}&format=csv`)
    expect(file.body).toContain(',9999999999999999.00,')
    const list = await call(admin, 'GET', `/api/admin/statements/?user_id=${buyer.id}`)
    expect(list.json<Page<Statement>>().items).toHaveLength(1)
  })

  test('a statement of a shop shows fees above the collected money separately from reversed money', async () => {
    const shop = await createPerson(1)
    await postAt(shop.id, '2026-01-20T10:00:00Z', [
      ['settlement_line 3', -10],
      ['settlement_line 4', 50],
    ])
    await postAt(shop.id, '2026-02-03T10:00:00Z', [
      ['settlement_line 1', 90],
      ['settlement_line 2', -25],
      ['lead 1', 100],
    ])
    // The courier paid the act: the money becomes available, and nothing is earned or taken back.
    await postAt(shop.id, '2026-02-04T10:00:00Z', [
      ['settlement_line 1', -90],
      ['settlement_line 1', 90],
      ['settlement_line 2', 25],
      ['settlement_line 2', -25],
    ])
    await postAt(shop.id, '2026-02-05T10:00:00Z', [
      ['settlement_line 1', -15],
      ['settlement_line 3', 10],
      ['settlement_line 4', -55],
      ['lead 1', -100],
    ])
    const body = { user_id: shop.id, currency: 'USD', start_date: '2026-02-01', end_date: '2026-02-28' }
    const closeAnswer = await call(admin, 'POST', '/api/admin/statements/', body)
    expect(closeAnswer.json<Statement>(), closeAnswer.body).toMatchObject({
      opening: 40,
      earned: 190,
      reversed: -165,
      fees: -20,
      adjusted: 0,
      paid: 0,
      closing: 45,
      entries: 11,
    })
  })

  test('a statement keeps its lines in another time zone, and the next one begins where it ends', async () => {
    const buyer = await createPerson(1)
    const close = async (as: FastifyInstance, start_date: string, end_date: string) => {
      const body = { user_id: buyer.id, currency: 'USD', start_date, end_date }
      const answer = await callApi(as, admin, 'POST', '/api/admin/statements/', body)
      expect(answer.statusCode, answer.body).toBe(201)
      return answer.json<Statement>()
    }
    /** The amounts of a statement, by each call that lists its entries. */
    const readLines = (as: FastifyInstance, id: number) =>
      Promise.all(
        (
          [
            [buyer.session, `/api/user/statements/${id}/entries/?`],
            [buyer.session, `/api/user/entries/?statement_id=${id}&`],
            [admin, `/api/admin/statements/${id}/entries/?`],
            [admin, `/api/admin/ledger/entries/?statement_id=${id}&`],
          ] as const
        ).map(async ([session, url]) => {
          const { items, meta } = (await callApi(as, session, 'GET', `${url}sort=id`)).json<
            Page<{ amount: number }>
          >()
          expect(meta.filtered_total).toBe(items.length)
          return items.map(({ amount }) => Math.abs(amount))
        }),
      )
    // Midnight is at 19:00 in Tashkent, at 05:00 in New York.
    for (const [at, amount] of [
      ['2026-01-31T18:59:59Z', 1],
      ['2026-01-31T19:00:00Z', 2],
      ['2026-02-28T18:59:59Z', 4],
      ['2026-02-28T19:00:00Z', 8],
      ['2026-03-01T04:59:59Z', 16],
      ['2026-04-01T03:59:59Z', 32],
      ['2026-04-01T04:00:00Z', 64],
    ] as const)
      await postAt(buyer.id, at, [['lead 1', amount]])
    const february = await close(product.app, '2026-02-01', '2026-02-28')
    expect(february).toMatchObject({ opening: 1, earned: 6, closing: 7, entries: 2 })
    const config = { ...product.deps.config, timeZone: 'America/New_York' }
    const deps = await openDeps(config, {
      url: product.databaseUrl,
      ring: { keys: [testKey] },
      log: openLog('silent'),
    })
    try {
      const app = await buildApp(deps)
      expect(await readLines(app, february.id)).toEqual(fourTimes([2, 4]))
      const march = await close(app, '2026-03-01', '2026-03-31')
      expect(march).toMatchObject({ opening: february.closing, earned: 56, closing: 63, entries: 3 })
      expect(await readLines(app, march.id)).toEqual(fourTimes([8, 16, 32]))
      // A statement before the closed ones ends where they begin.
      const january = await close(app, '2026-01-01', '2026-01-31')
      expect(january).toMatchObject({ opening: 0, earned: 1, closing: february.opening, entries: 1 })
      await app.close()
    } finally {
      await deps.close()
    }
    expect(await readLines(product.app, february.id)).toEqual(fourTimes([2, 4]))
    const items = (await call(admin, 'GET', '/api/admin/statements/?sort=-id')).json<Page<Statement>>().items
    expect(items.find(({ id }) => id === february.id)).toEqual(february)
  })
})
