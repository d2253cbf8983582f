import type { PayoutTerms } from '@karvon/contract/payouts/payout-terms.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { createMoneyFixture } from '../../../test/money.ts'

const { product, admin, call, createPerson, readBalance, request, createWithdrawal } =
  await createMoneyFixture()
afterAll(() => product.close())

describe('Payout terms', () => {
  const terms = (values: object) => ({
    valid_from: '2999-01-01',
    earned_at: 'sold',
    share: 80,
    hold_days: 14,
    minimum: 50_000,
    ...values,
  })
  const create = (values: object) => call(admin, 'POST', '/api/admin/payout-terms/', terms(values))

  test('payout terms start on a later day, once for each scope, and can be deleted until then', async () => {
    const buyer = await createPerson(1)
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

  test('payout terms set the smallest withdrawal', async () => {
    const buyer = await createPerson(100)
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
    expect(await readBalance(buyer)).toMatchObject({ minimum: 60 })
    expect((await request(buyer, 59.99)).json()).toMatchObject({ code: 'withdrawal_below_minimum' })
    await createWithdrawal(buyer, 60)
  })
})
