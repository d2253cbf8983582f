import type { Page } from '@karvon/contract/lib/page.ts'
import type { Balance, PayoutTerms, Statement, Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, firstAdmin, signIn, type Product, type Session } from '../../../test/app.ts'
import { createUser } from '../../../test/people.ts'
import { readSheet } from '../../../test/exports.ts'

let product: Product
let admin: Session
let otherAdmin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
  const roles = await callApi(product.app, admin, 'GET', '/api/admin/roles/?code=admin')
  const [role] = roles.json<Page<{ id: number }>>().items
  otherAdmin = await createUser(product.app, admin, 'second-admin', role?.id)
})
afterAll(() => product.close())

type Method = Parameters<typeof callApi>[2]
const call = (as: Session, method: Method, url: string, body?: object) =>
  callApi(product.app, as, method, url, body)

let people = 0
interface Buyer {
  id: number
  session: Session
}
/** A person who has earned an amount. */
async function buyerWith(amount: number): Promise<Buyer> {
  const username = `buyer-${++people}`
  const session = await createUser(product.app, admin, username)
  const found = await call(admin, 'GET', `/api/admin/users/?username=${username}`)
  const id = found.json<Page<{ id: number }>>().items[0]?.id ?? 0
  await adjust(id, amount)
  return { id, session }
}
async function adjust(id: number, amount: number): Promise<void> {
  const answer = await call(admin, 'POST', '/api/admin/ledger/adjustments/', {
    account_id: `person-${id}-UZS`,
    amount: -amount,
    reason: 'Opening balance',
  })
  expect(answer.statusCode, answer.body).toBe(201)
}
const balance = async ({ session }: Buyer): Promise<Balance | undefined> => {
  const answer = await call(session, 'GET', '/api/user/balance')
  const { others: _others, ...own } = answer.json<Balance & { others: Balance[] }>()
  return own
}
const request = (buyer: Buyer, amount: number, details = '8600 1234 5678 9012 Uzcard') =>
  call(buyer.session, 'POST', '/api/user/withdrawals/', { currency: 'UZS', amount, details })
async function requested(buyer: Buyer, amount: number): Promise<number> {
  const answer = await request(buyer, amount)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json<Withdrawal>().id
}
const decide = (as: Session, id: number, action: string, body: object = {}) =>
  call(as, 'POST', `/api/admin/withdrawals/${id}/${action}/`, body)
const payment = { paid_on: '2026-01-31', reference: 'PAY-1' }

describe('A withdrawal', () => {
  test('is requested, approved and paid, and the balance shows each step', async () => {
    const buyer = await buyerWith(1000.5)
    expect(await balance(buyer)).toEqual({
      currency: 'UZS',
      earned: 1000.5,
      on_hold: 0,
      available: 1000.5,
      requested: 0,
      paid: 0,
      minimum: 0,
    })
    const id = await requested(buyer, 600.25)
    expect(await balance(buyer)).toMatchObject({ available: 400.25, requested: 600.25, paid: 0 })
    const approved = await decide(admin, id, 'approve')
    expect(approved.json()).toMatchObject({ status: 'approved', details: '•••• card' })
    const paid = await decide(otherAdmin, id, 'pay', payment)
    expect(paid.json()).toMatchObject({ status: 'paid', ...payment, decided_by: { name: 'second-admin' } })
    expect(await balance(buyer)).toMatchObject({
      earned: 1000.5,
      available: 400.25,
      requested: 0,
      paid: 600.25,
    })
    const entries = await call(buyer.session, 'GET', '/api/user/entries/')
    expect(entries.json<Page<{ amount: number; cause_type: string }>>().items).toMatchObject([
      { amount: -600.25, cause_type: 'withdrawal', cause_id: id },
      { amount: 1000.5, cause_type: 'adjustment' },
    ])
    expect(entries.json<Page<unknown>>().meta).toMatchObject({ total: 2, filtered_total: 2 })
  })

  test('is refused above the available amount, and several at once never take more than there is', async () => {
    const buyer = await buyerWith(100)
    const refused = await request(buyer, 100.01)
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({
      code: 'balance_insufficient',
      params: { available: 100, currency: 'UZS' },
    })
    const answers = await Promise.all(Array.from({ length: 8 }, () => request(buyer, 30)))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(3)
    expect(await balance(buyer)).toMatchObject({ available: 10, requested: 90 })
  })

  test('is found by its id, by admins and by its person alone', async () => {
    const [buyer, other] = [await buyerWith(100), await buyerWith(100)]
    const [id, otherId] = [await requested(buyer, 10), await requested(other, 20)]
    await requested(buyer, 30)
    const find = async (as: Session, path: string, wanted: number) => {
      const answer = await call(as, 'GET', `${path}?withdrawal_id=${wanted}`)
      return answer.json<Page<Withdrawal>>().items.map((each) => each.id)
    }
    expect(await find(admin, '/api/admin/withdrawals/', otherId)).toEqual([otherId])
    expect(await find(buyer.session, '/api/user/withdrawals/', id)).toEqual([id])
    expect(await find(buyer.session, '/api/user/withdrawals/', otherId)).toEqual([])
  })

  test('is limited in its number of open ones', async () => {
    const buyer = await buyerWith(100)
    for (let i = 0; i < 10; i++) await requested(buyer, 1)
    const refused = await request(buyer, 1)
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([
      409,
      'too_many_open_withdrawals',
    ])
  })

  test('is decided once when two admins race', async () => {
    const buyer = await buyerWith(10_000)
    for (let round = 0; round < 10; round++) {
      const id = await requested(buyer, 10)
      const first = await Promise.all([
        decide(admin, id, 'approve'),
        decide(otherAdmin, id, 'decline', { reason: 'No' }),
        call(buyer.session, 'POST', `/api/user/withdrawals/${id}/cancel/`),
      ])
      // A decline may follow an approval; all else ends the withdrawal.
      const codes = first.map(({ statusCode }) => statusCode)
      expect(codes.filter((code) => code === 200).length, `${codes}`).toBeGreaterThan(0)
      expect(
        codes.every((code) => code === 200 || code === 409),
        `${codes}`,
      ).toBe(true)
      const paid = await Promise.all([admin, otherAdmin].map((as) => decide(as, id, 'pay', payment)))
      expect(paid.filter(({ statusCode }) => statusCode === 200).length).toBeLessThan(2)
      const { rows } = await product.deps.pool.query<{ status: string; entries: number }>(
        `select status, (select count(*)::integer from ledger_entries
           where cause_type = 'withdrawal' and cause_id = w.id) as entries from withdrawals w where id = $1`,
        [id],
      )
      expect(rows[0]?.entries).toBe(rows[0]?.status === 'paid' ? 2 : 0)
    }
  })

  test('is not approved or paid when the balance became too small', async () => {
    const buyer = await buyerWith(100)
    const id = await requested(buyer, 100)
    await adjust(buyer.id, -40)
    const refused = await decide(admin, id, 'approve')
    expect(refused.json()).toMatchObject({ code: 'balance_insufficient', params: { available: 60 } })
    await adjust(buyer.id, 40)
    expect((await decide(admin, id, 'approve')).statusCode).toBe(200)
    await adjust(buyer.id, -40)
    expect((await decide(admin, id, 'pay', payment)).statusCode).toBe(409)
    expect((await decide(admin, id, 'decline', { reason: 'Returned leads' })).json()).toMatchObject({
      status: 'declined',
      decline_reason: 'Returned leads',
    })
    expect(await balance(buyer)).toMatchObject({ available: 60, requested: 0 })
  })

  test('of another person is unknown, and a payment in the future is refused', async () => {
    const [buyer, other] = [await buyerWith(100), await buyerWith(100)]
    const id = await requested(buyer, 50)
    const refused = await call(other.session, 'POST', `/api/user/withdrawals/${id}/cancel/`)
    expect(refused.statusCode).toBe(404)
    const list = await call(other.session, 'GET', '/api/user/withdrawals/')
    expect(list.json<Page<unknown>>().meta.total).toBe(0)
    await decide(admin, id, 'approve')
    const future = await decide(admin, id, 'pay', { ...payment, paid_on: '2999-01-01' })
    expect([future.statusCode, future.json<{ code: string }>().code]).toEqual([422, 'paid_in_future'])
  })
})

test('a linked chat gets a notice of each answer, unless its person chose not to', async () => {
  const texts = async (money: boolean) => {
    const buyer = await buyerWith(1000)
    await product.deps.db
      .insertInto('telegram_links')
      .values({ user_id: buyer.id, chat_id: String(buyer.id), money })
      .execute()
    const [paid, declined] = [await requested(buyer, 100), await requested(buyer, 50.5)]
    await decide(admin, paid, 'approve')
    await decide(admin, paid, 'pay', payment)
    await decide(admin, declined, 'decline', { reason: 'Wrong card' })
    const { rows } = await product.deps.pool.query<{ text: string }>(
      `select text from notices where user_id = $1 and kind = 'money' order by id`,
      [buyer.id],
    )
    return rows.map(({ text }) => text)
  }
  expect(await texts(true)).toEqual([
    'Выплата 100.00 UZS одобрена',
    'Выплата 100.00 UZS отправлена 31.01.2026',
    'Выплата 50.50 UZS отклонена: Wrong card',
  ])
  expect(await texts(false)).toEqual([])
})

test('the registry has the payment details of approved withdrawals, and each reading is in the audit log', async () => {
  const buyer = await buyerWith(500)
  const details = 'UZ20 0001 4000 0011 2233 Registry'
  const id = (await request(buyer, 500, details)).json<Withdrawal>().id
  const registry = () => call(admin, 'GET', '/api/admin/withdrawals/registry/?format=xlsx&sort=-id')
  const hasRow = async () => JSON.stringify(await readSheet((await registry()).rawPayload)).includes(details)
  expect(await hasRow()).toBe(false)
  await decide(admin, id, 'approve')
  expect(await hasRow()).toBe(true)
  const audit = await call(admin, 'GET', '/api/admin/audit/?resource=withdrawals&action=download')
  expect(audit.json<Page<unknown>>().meta.filtered_total).toBeGreaterThanOrEqual(2)
  expect(audit.body).not.toContain('UZ20')
  await decide(admin, id, 'pay', payment)
  const { rows } = await product.deps.pool.query('select details_encrypted from withdrawals where id = $1', [
    id,
  ])
  expect(rows).toEqual([{ details_encrypted: null }])
})

describe('Payout terms', () => {
  const terms = (more: object) => ({
    valid_from: '2999-01-01',
    earned_at: 'sold',
    share: 80,
    hold_days: 14,
    minimum: 50_000,
    ...more,
  })
  const create = (more: object) => call(admin, 'POST', '/api/admin/payout-terms/', terms(more))

  test('start on a later day, once for each scope, and can be deleted until then', async () => {
    const buyer = await buyerWith(1)
    const answer = await create({ user_id: buyer.id })
    expect(answer.statusCode, answer.body).toBe(201)
    const { id, user } = answer.json<PayoutTerms>()
    expect(user?.id).toBe(buyer.id)
    expect((await create({ user_id: buyer.id })).statusCode).toBe(409)
    expect((await create({ user_id: buyer.id, valid_from: '2020-01-01' })).json()).toMatchObject({
      code: 'terms_start_too_early',
    })
    expect((await create({ fixed: 5 })).json()).toMatchObject({ code: 'share_or_fixed' })
    expect((await call(admin, 'DELETE', `/api/admin/payout-terms/${id}/`)).statusCode).toBe(200)
    expect((await call(admin, 'DELETE', `/api/admin/payout-terms/${id}/`)).statusCode).toBe(404)
  })

  test('give the smallest withdrawal', async () => {
    const buyer = await buyerWith(100)
    await product.deps.db
      .insertInto('payout_terms')
      .values({
        user_id: buyer.id,
        offer_id: null,
        valid_from: '2020-01-01',
        earned_at: 'sold',
        share: 100,
        fixed: null,
        hold_days: 0,
        minimum: 60,
        created_by: null,
      })
      .execute()
    expect(await balance(buyer)).toMatchObject({ minimum: 60 })
    expect((await request(buyer, 59.99)).json()).toMatchObject({ code: 'withdrawal_below_minimum' })
    await requested(buyer, 60)
  })
})

describe('A statement', () => {
  test('has the figures of its days, is closed once, and people read their own alone', async () => {
    const [buyer, other] = [await buyerWith(1), await buyerWith(1)]
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

describe('The ledger', () => {
  test('lists accounts with their balances, now and at a moment', async () => {
    const buyer = await buyerWith(77)
    const list = async (more: string) => {
      const url = `/api/admin/ledger/accounts/?kind=person&ref_id=${buyer.id}${more}`
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

  test('refuses an adjustment of 0 and of an unknown account', async () => {
    const body = { account_id: 'person-1-UZS', amount: 0, reason: 'x' }
    const adjustWith = (more: object) =>
      call(admin, 'POST', '/api/admin/ledger/adjustments/', { ...body, ...more })
    expect((await adjustWith({})).statusCode).toBe(422)
    expect((await adjustWith({ amount: 1, account_id: 'person-999999-UZS' })).statusCode).toBe(404)
    expect((await adjustWith({ amount: 1, account_id: 'paid-1-UZS' })).statusCode).toBe(404)
  })

  test('has for each entry its cause', async () => {
    const buyer = await buyerWith(5)
    const url = `/api/admin/ledger/entries/?account_id=person-${buyer.id}-UZS`
    const { items, meta } = (await call(admin, 'GET', url)).json<Page<{ cause_id: number }>>()
    expect(meta).toMatchObject({ filtered_total: 1 })
    const other = await call(
      admin,
      'GET',
      `/api/admin/ledger/entries/?cause_type=adjustment&cause_id=${items[0]?.cause_id}&sort=id`,
    )
    expect(other.json<Page<object>>().items).toMatchObject([
      { amount: 5, kind: 'adjustments', name: null },
      { amount: -5, kind: 'person' },
    ])
  })
})
