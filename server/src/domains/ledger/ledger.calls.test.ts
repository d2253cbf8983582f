import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { Session } from '../../../test/app.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { createMoneyFixture } from '../../../test/money.ts'
import { createSample } from '../../../test/sample.ts'

const { product, admin, call, createPerson } = await createMoneyFixture()
afterAll(() => product.close())

describe('Ledger calls', () => {
  test('the ledger lists accounts with their balances, now and at a moment', async () => {
    const buyer = await createPerson(77)
    const list = async (query: string) => {
      const url = `/api/admin/ledger/accounts/?kind=person&ref_id=${buyer.id}${query}`
      return (await call(admin, 'GET', url)).json<Page<object>>().items
    }
    expect(await list('')).toEqual([
      {
        id: `person-${buyer.id}-UZS`,
        kind: 'person',
        ref_id: buyer.id,
        name: expect.any(String),
        currency: 'UZS',
        balance: -77,
        on_hold: 0,
        entries: 1,
      },
    ])
    const { rows } = await product.deps.pool.query<{ before: string; after: string }>(
      `select created_at - interval '1 ms' as before, created_at as after from ledger_entries
       where account_kind = 'person' and ref_id = $1`,
      [buyer.id],
    )
    const [moment] = rows
    expect(await list(`&at=${encodeURIComponent(moment?.before ?? '')}`)).toEqual([])
    expect(await list(`&at=${encodeURIComponent(moment?.after ?? '')}`)).toMatchObject([{ balance: -77 }])
  })

  test('entries are found by their amount and the name of their account, and sorted by their amount', async () => {
    const buyer = await createPerson(12.5)
    await call(admin, 'POST', '/api/admin/ledger/adjustments/', {
      account_id: `person-${buyer.id}-UZS`,
      amount: 3.25,
      reason: 'A fine',
    })
    const list = async (as: Session, url: string) =>
      (await call(as, 'GET', url)).json<Page<{ amount: number }>>().items.map(({ amount }) => amount)
    const listAll = (query: string) =>
      list(admin, `/api/admin/ledger/entries/?account_id=person-${buyer.id}-UZS&${query}`)
    const listOwn = (query: string) => list(buyer.session, `/api/user/entries/?${query}`)
    expect(await listAll('sort=amount')).toEqual([-12.5, 3.25])
    expect(await listOwn('sort=amount')).toEqual([-3.25, 12.5])
    expect(await listAll('amount=3.25')).toEqual([3.25])
    expect(await listOwn('amount=-3.25&cause_type=adjustment')).toEqual([-3.25])
    const [user] = (await call(admin, 'GET', `/api/admin/users/?id=${buyer.id}`)).json<
      Page<{ name: string }>
    >().items
    expect(await listAll(`sort=-amount&search=${encodeURIComponent(user?.name ?? '')}`)).toEqual([
      3.25, -12.5,
    ])
    expect(await listAll('search=nobody')).toEqual([])
    expect(await listOwn('search=FINE')).toEqual([-3.25])
    expect(await listOwn('search=nothing')).toEqual([])
    const kinds = await call(admin, 'GET', '/api/admin/ledger/accounts/?sort=kind')
    expect(kinds.json<Page<{ kind: string }>>().items[0]).toMatchObject({ kind: 'adjustments' })
  })

  test('an adjustment of 0, without a reason or of an unknown account is refused', async () => {
    const body = { account_id: 'person-1-UZS', amount: 0, reason: 'x' }
    const adjustWith = (values: object) =>
      call(admin, 'POST', '/api/admin/ledger/adjustments/', { ...body, ...values })
    expect((await adjustWith({})).statusCode).toBe(422)
    expect((await adjustWith({ amount: 1, reason: ' ' })).statusCode).toBe(422)
    expect((await adjustWith({ amount: 1, account_id: 'people-1-UZS' })).statusCode).toBe(422)
    expect((await adjustWith({ amount: 1, account_id: 'person-999999-UZS' })).statusCode).toBe(404)
    expect((await adjustWith({ amount: 1, account_id: 'paid-1-UZS' })).statusCode).toBe(404)
  })

  test('an adjustment in a currency that does not exist is refused, unless its account has entries', async () => {
    const body = { account_id: 'paid-0-ABC', amount: 1, reason: 'x' }
    const adjust = () => call(admin, 'POST', '/api/admin/ledger/adjustments/', body)
    expect((await adjust()).json()).toMatchObject({
      errors: [{ field: 'account_id', code: 'not_a_currency_code' }],
    })
    await product.deps.pool.query(
      `insert into ledger_entries (cause_type, cause_id, account_kind, ref_id, currency, amount)
       values ('adjustment', 0, 'paid', 0, 'ABC', -1), ('adjustment', 0, 'adjustments', 0, 'ABC', 1)`,
    )
    expect((await adjust()).statusCode).toBe(201)
  })

  test.each([
    ['network', cpaSources],
    ['courier', courierAccounts],
  ] as const)(
    'a %s with an adjustment cannot be deleted, so that its account keeps a name',
    async (kind, resource) => {
      const { id } = await createSample(product.app, admin, resource)
      const body = { account_id: `${kind}-${id}-UZS`, amount: 5, reason: 'A bonus' }
      expect((await call(admin, 'POST', '/api/admin/ledger/adjustments/', body)).statusCode).toBe(201)
      const answer = await call(admin, 'DELETE', `/api/admin/${resource.name}/${id}`)
      expect(answer.json()).toMatchObject({ code: 'in_use', detail: 'Used by 1 ledger adjustment.' })
    },
  )

  test('each entry of the ledger has its cause', async () => {
    const buyer = await createPerson(5)
    const url = `/api/admin/ledger/entries/?account_id=person-${buyer.id}-UZS`
    const { items, meta } = (await call(admin, 'GET', url)).json<Page<{ cause_id: number }>>()
    expect(meta).toMatchObject({ filtered_total: 1 })
    const otherAnswer = await call(
      admin,
      'GET',
      `/api/admin/ledger/entries/?cause_type=adjustment&cause_id=${items[0]?.cause_id}&sort=id`,
    )
    expect(otherAnswer.json<Page<object>>().items).toMatchObject([
      { amount: 5, kind: 'adjustments', name: null },
      { amount: -5, kind: 'person' },
    ])
  })
})
