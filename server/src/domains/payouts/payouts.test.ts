import type { Page } from '@karvon/contract/lib/page.ts'
import type { Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import { afterAll, describe, expect, test } from 'vitest'
import type { Session } from '../../../test/app.ts'
import { createMoneyFixture, payment } from '../../../test/money.ts'

const {
  product,
  admin,
  otherAdmin,
  call,
  adjust,
  createPerson,
  readBalance,
  request,
  createWithdrawal,
  decide,
} = await createMoneyFixture()
afterAll(() => product.close())

describe('Withdrawals', () => {
  test('a withdrawal is requested, approved and paid, and the balance shows each step', async () => {
    const buyer = await createPerson(1000.5)
    expect(await readBalance(buyer)).toEqual({
      currency: 'UZS',
      earned: 1000.5,
      on_hold: 0,
      available: 1000.5,
      requested: 0,
      paid: 0,
      minimum: 0,
    })
    const id = await createWithdrawal(buyer, 600.25)
    expect(await readBalance(buyer)).toMatchObject({ available: 400.25, requested: 600.25, paid: 0 })
    const approvalAnswer = await decide(admin, id, 'approve')
    expect(approvalAnswer.json()).toMatchObject({ status: 'approved', details: '•••• card' })
    const payAnswer = await decide(otherAdmin, id, 'pay', payment)
    expect(payAnswer.json()).toMatchObject({
      status: 'paid',
      ...payment,
      decided_by: { name: 'second-admin' },
    })
    expect(await readBalance(buyer)).toMatchObject({
      earned: 1000.5,
      available: 400.25,
      requested: 0,
      paid: 600.25,
    })
    const entries = await call(buyer.session, 'GET', '/api/user/entries/')
    expect(entries.json<Page<{ amount: number; cause_type: string }>>().items).toMatchObject([
      { amount: -600.25, cause_type: 'withdrawal', cause_id: id, reason: null },
      { amount: 1000.5, cause_type: 'adjustment', reason: 'Opening balance' },
    ])
    expect(entries.json<Page<unknown>>().meta).toMatchObject({ total: 2, filtered_total: 2 })
  })

  test('a payment without its day is of today, and a decision needs no reason', async () => {
    const buyer = await createPerson(100)
    const [paidId, declinedId] = [await createWithdrawal(buyer, 40), await createWithdrawal(buyer, 30)]
    const early = await decide(admin, paidId, 'pay')
    expect([early.statusCode, early.json<{ detail: string }>().detail]).toEqual([
      409,
      'The withdrawal has the status requested.',
    ])
    await decide(admin, paidId, 'approve')
    const { rows } = await product.deps.pool.query<{ today: string }>('select current_date::text as today')
    expect((await call(admin, 'POST', `/api/admin/withdrawals/${paidId}/pay/`)).json()).toMatchObject({
      status: 'paid',
      paid_on: rows[0]?.today,
      reference: null,
    })
    expect((await call(admin, 'POST', `/api/admin/withdrawals/${declinedId}/decline`)).json()).toMatchObject({
      status: 'declined',
      decline_reason: null,
    })
    expect(await readBalance(buyer)).toMatchObject({ available: 60, requested: 0, paid: 40 })
  })

  test('a withdrawal above the available amount is refused, and simultaneous ones never exceed it', async () => {
    const buyer = await createPerson(100)
    const refusal = await request(buyer, 100.01)
    expect(refusal.statusCode).toBe(409)
    expect(refusal.json()).toMatchObject({
      code: 'balance_insufficient',
      params: { available: 100, currency: 'UZS' },
    })
    const answers = await Promise.all(Array.from({ length: 8 }, () => request(buyer, 30)))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(3)
    expect(await readBalance(buyer)).toMatchObject({ available: 10, requested: 90 })
  })

  test('a balance of any size is exact and can be withdrawn', async () => {
    const buyer = await createPerson(0.01)
    // No single amount is so large, but the leads of a network can sum to it.
    for (let n = 0; n < 11; n += 1)
      await product.deps.pool.query(
        `insert into ledger_entries (cause_type, cause_id, account_kind, ref_id, currency, amount)
         select 'adjustment', $2, kind, id, 'UZS', amount
         from (values ('person', $1::bigint, -1e15), ('adjustments', 0, 1e15)) e (kind, id, amount)`,
        [buyer.id, 1e9 + n],
      )
    expect(await readBalance(buyer)).toMatchObject({ earned: 1.1e16, available: 1.1e16 })
    const requests = [9_999_999_999_999.99, 0.02].map((amount) => createWithdrawal(buyer, amount))
    await Promise.all(requests)
    expect(await readBalance(buyer)).toMatchObject({ available: 1.099e16, requested: 10_000_000_000_000.01 })
  })

  test('a withdrawal is found by its id, by admins and by its own person only', async () => {
    const [buyer, otherBuyer] = [await createPerson(100), await createPerson(100)]
    const [id, otherId] = [await createWithdrawal(buyer, 10), await createWithdrawal(otherBuyer, 20)]
    await createWithdrawal(buyer, 30)
    const find = async (as: Session, path: string, withdrawalId: number) => {
      const answer = await call(as, 'GET', `${path}?withdrawal_id=${withdrawalId}`)
      return answer.json<Page<Withdrawal>>().items.map((withdrawal) => withdrawal.id)
    }
    expect(await find(admin, '/api/admin/withdrawals/', otherId)).toEqual([otherId])
    expect(await find(buyer.session, '/api/user/withdrawals/', id)).toEqual([id])
    expect(await find(buyer.session, '/api/user/withdrawals/', otherId)).toEqual([])
  })

  test('own withdrawals are found by their amount, and by the texts that the person reads', async () => {
    const buyer = await createPerson(100)
    const [paidId, declinedId] = [await createWithdrawal(buyer, 40.5), await createWithdrawal(buyer, 30)]
    await decide(admin, paidId, 'approve')
    await decide(admin, paidId, 'pay', payment)
    await decide(admin, declinedId, 'decline', { reason: 'Wrong card' })
    const find = async (query: string) => {
      const answer = await call(buyer.session, 'GET', `/api/user/withdrawals/?sort=id&${query}`)
      return answer.json<Page<Withdrawal>>().items.map(({ id }) => id)
    }
    expect(await find('amount=40.5')).toEqual([paidId])
    expect(await find(`search=${payment.reference.toLowerCase()}`)).toEqual([paidId])
    expect(await find('search=wrong')).toEqual([declinedId])
    expect(await find('search=nothing')).toEqual([])
  })

  test('the number of open withdrawals of a person is limited', async () => {
    const buyer = await createPerson(100)
    for (let i = 0; i < 10; i++) await createWithdrawal(buyer, 1)
    const refusal = await request(buyer, 1)
    expect([refusal.statusCode, refusal.json<{ code: string }>().code]).toEqual([
      409,
      'too_many_open_withdrawals',
    ])
  })

  test('a withdrawal that two admins decide at once is decided once', async () => {
    const buyer = await createPerson(10_000)
    for (let round = 0; round < 10; round++) {
      const id = await createWithdrawal(buyer, 10)
      const first = await Promise.all([
        decide(admin, id, 'approve'),
        decide(otherAdmin, id, 'decline', { reason: 'No' }),
        call(buyer.session, 'POST', `/api/user/withdrawals/${id}/cancel/`),
      ])
      // A decline may follow an approval; all else ends the withdrawal.
      const codes = first.map(({ statusCode }) => statusCode)
      expect(codes.filter((code) => code === 200).length, String(codes)).toBeGreaterThan(0)
      expect(
        codes.every((code) => code === 200 || code === 409),
        String(codes),
      ).toBe(true)
      const payAnswers = await Promise.all([admin, otherAdmin].map((as) => decide(as, id, 'pay', payment)))
      expect(payAnswers.filter(({ statusCode }) => statusCode === 200).length).toBeLessThan(2)
      const { rows } = await product.deps.pool.query<{ status: string; entries: number }>(
        `select status, (select count(*)::integer from ledger_entries
           where cause_type = 'withdrawal' and cause_id = w.id) as entries from withdrawals w where id = $1`,
        [id],
      )
      expect(rows[0]?.entries).toBe(rows[0]?.status === 'paid' ? 2 : 0)
    }
  })

  test('a withdrawal is not approved or paid when the balance became too small', async () => {
    const buyer = await createPerson(100)
    const id = await createWithdrawal(buyer, 100)
    await adjust(buyer.id, -40)
    const refusal = await decide(admin, id, 'approve')
    expect(refusal.json()).toMatchObject({ code: 'balance_insufficient', params: { available: 60 } })
    await adjust(buyer.id, 40)
    expect((await decide(admin, id, 'approve')).statusCode).toBe(200)
    await adjust(buyer.id, -40)
    expect((await decide(admin, id, 'pay', payment)).statusCode).toBe(409)
    expect((await decide(admin, id, 'decline', { reason: 'Returned leads' })).json()).toMatchObject({
      status: 'declined',
      decline_reason: 'Returned leads',
    })
    expect(await readBalance(buyer)).toMatchObject({ available: 60, requested: 0 })
  })

  test('a refusal has the exact sum that is available', async () => {
    const buyer = await createPerson(0.3)
    const id = await createWithdrawal(buyer, 0.3)
    await adjust(buyer.id, -0.2)
    expect((await decide(admin, id, 'approve')).json()).toMatchObject({ params: { available: 0.1 } })
  })

  test('a withdrawal of another person is unknown, and a payment in the future is refused', async () => {
    const [buyer, otherBuyer] = [await createPerson(100), await createPerson(100)]
    const id = await createWithdrawal(buyer, 50)
    const refusal = await call(otherBuyer.session, 'POST', `/api/user/withdrawals/${id}/cancel/`)
    expect(refusal.statusCode).toBe(404)
    const list = await call(otherBuyer.session, 'GET', '/api/user/withdrawals/')
    expect(list.json<Page<unknown>>().meta.total).toBe(0)
    await decide(admin, id, 'approve')
    const future = await decide(admin, id, 'pay', { ...payment, paid_on: '2999-01-01' })
    expect([future.statusCode, future.json<{ code: string }>().code]).toEqual([422, 'paid_in_future'])
  })
})

test('a linked chat gets a notice of each answer, unless its person chose not to', async () => {
  const notices = async (money: boolean) => {
    const buyer = await createPerson(1000)
    await product.deps.db
      .insertInto('telegram_links')
      .values({ user_id: buyer.id, chat_id: String(buyer.id), money })
      .execute()
    const [paidId, declinedId] = [await createWithdrawal(buyer, 100), await createWithdrawal(buyer, 50.5)]
    await decide(admin, paidId, 'approve')
    await decide(admin, paidId, 'pay', payment)
    await decide(admin, declinedId, 'decline', { reason: 'Wrong card' })
    const { rows } = await product.deps.pool.query(
      `select message, params from notices where user_id = $1 and kind = 'money' order by id`,
      [buyer.id],
    )
    return rows
  }
  const [whole, half] = ['100.00', '50.50'].map((amount) => ({ amount, currency: 'UZS', day: null }))
  expect(await notices(true)).toEqual([
    { message: 'withdrawal_approved', params: { ...whole, reason: null } },
    { message: 'withdrawal_paid', params: { ...whole, day: '2026-01-31', reason: null } },
    { message: 'withdrawal_declined', params: { ...half, reason: 'Wrong card' } },
  ])
  expect(await notices(false)).toEqual([])
})
