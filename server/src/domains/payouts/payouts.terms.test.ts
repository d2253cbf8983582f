import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { PayoutTerms } from '@karvon/contract/payouts/payout-terms.ts'
import { streams } from '@karvon/contract/streams/streams.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { sendFile } from '../../../test/files.ts'
import { createMoneyFixture } from '../../../test/money.ts'
import { createSample } from '../../../test/sample.ts'

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
    const repeated = await create({ user_id: buyer.id })
    expect(repeated.statusCode).toBe(409)
    expect(repeated.json()).toMatchObject({ errors: [{ field: 'valid_from', code: 'already_exists' }] })
    expect((await create({ fixed: 5 })).json()).toMatchObject({ code: 'share_or_fixed' })
    expect((await create({ currency: 'USD' })).json()).toMatchObject({ code: 'currency_without_fixed' })
    expect((await call(admin, 'DELETE', `/api/admin/payout-terms/${id}/`)).statusCode).toBe(200)
    expect((await call(admin, 'DELETE', `/api/admin/payout-terms/${id}/`)).statusCode).toBe(404)
  })

  /** Imports a sold lead of a new stream of a person. */
  async function importSoldLead(userId: number, day = '2026-05-10'): Promise<void> {
    const source = await createSample(product.app, admin, cpaSources)
    const name = `stream-${userId}`
    await createSample(product.app, admin, streams, {
      name,
      source_id: source.id,
      user_id: userId,
      offer_id: null,
    })
    const file = {
      name: 'leads.csv',
      content: `external_id,created_at,status,payout,stream\nsold-1,${day},sold,200.02,${name}\n`,
    }
    const answer = await sendFile(product.app, admin, '/api/admin/leads/import/', file, {
      source_id: String(source.id),
    })
    expect(answer.json(), answer.body).toMatchObject({ imported: 1 })
  }

  test('terms from an earlier day on are accepted until they concern a stored lead, which they then pay', async () => {
    const buyer = await createPerson(1)
    const ownTerms = { user_id: buyer.id, valid_from: '2026-05-01', share: 50, hold_days: 0 }
    const answer = await create(ownTerms)
    expect(answer.statusCode, answer.body).toBe(201)
    const { id } = answer.json<PayoutTerms>()
    expect((await call(admin, 'DELETE', `/api/admin/payout-terms/${id}/`)).statusCode).toBe(200)
    const again = (await create(ownTerms)).json<PayoutTerms>()
    await importSoldLead(buyer.id)
    expect(await readBalance(buyer)).toMatchObject({ earned: 101.01, available: 101.01 })
    const isRefused = async (values: object) =>
      (await create({ ...ownTerms, ...values })).json<{ code: string }>().code
    expect(await isRefused({ valid_from: '2026-05-10' })).toBe('terms_start_too_early')
    expect(await isRefused({ user_id: null, valid_from: '2026-05-09' })).toBe('terms_start_too_early')
    expect((await call(admin, 'DELETE', `/api/admin/payout-terms/${again.id}/`)).json()).toMatchObject({
      code: 'terms_valid_already',
    })
    expect((await create({ ...ownTerms, valid_from: '2026-05-11' })).statusCode).toBe(201)
    expect(await readBalance(buyer)).toMatchObject({ earned: 101.01 })
  })

  test('terms of a later day do not change a stored lead of this day', async () => {
    const buyer = await createPerson(1)
    const { rows } = await product.deps.pool.query<{ tomorrow: string }>(
      'select (current_date + 1)::text as tomorrow',
    )
    const tomorrow = rows[0]?.tomorrow ?? ''
    const tomorrowTerms = { user_id: buyer.id, valid_from: tomorrow, share: 50, hold_days: 0 }
    const { id } = (await create(tomorrowTerms)).json<PayoutTerms>()
    await importSoldLead(buyer.id, tomorrow)
    expect(await readBalance(buyer)).toMatchObject({ earned: 101.01 })
    expect((await call(admin, 'DELETE', `/api/admin/payout-terms/${id}/`)).json()).toMatchObject({
      code: 'terms_valid_already',
    })
    expect((await create({ ...tomorrowTerms, user_id: null, share: 60 })).json()).toMatchObject({
      code: 'terms_start_too_early',
    })
    expect(await readBalance(buyer)).toMatchObject({ earned: 101.01 })
  })

  test('terms have the ids of their person and offer, and are found and sorted by each value', async () => {
    const buyer = await createPerson(1)
    const { id } = (await create({ user_id: buyer.id, hold_days: 21, minimum: 5.5 })).json<PayoutTerms>()
    const find = async (query: string) => {
      const answer = await call(admin, 'GET', `/api/admin/payout-terms/?user_id=${buyer.id}&${query}`)
      return answer.json<Page<PayoutTerms>>().items
    }
    expect(await find('')).toMatchObject([{ id, user_id: buyer.id, offer_id: null, currency: null }])
    for (const query of [
      'valid_from=2999-01-01',
      'earned_at=sold',
      'share=80',
      'hold_days=21',
      'minimum=5.5',
    ])
      expect(
        (await find(`${query}&sort=-${query.split('=')[0]}`)).map((terms) => terms.id),
        query,
      ).toEqual([id])
    for (const query of [
      'id=999999',
      'created_at=2020-01-01T00:00:00Z',
      'valid_from=2999-01-02',
      'earned_at=delivered',
      'share=81',
      'fixed=1',
      'currency=EUR',
      'hold_days=22',
      'minimum=6',
    ])
      expect(await find(`${query}&sort=${query.split('=')[0]}`), query).toEqual([])
    const otherDay = { valid_from: '2999-02-01', share: null, fixed: 7.5, currency: 'USD' }
    const fixed = (await create({ user_id: buyer.id, ...otherDay })).json<PayoutTerms>()
    expect(fixed).toMatchObject({ share: null, fixed: 7.5, currency: 'USD' })
    for (const query of ['fixed=7.5', 'currency=USD'])
      expect(await find(`${query}&sort=currency`), query).toMatchObject([{ id: fixed.id }])
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

  test('the smallest withdrawal of payout terms is an amount in the currency of the installation', async () => {
    const buyer = await createPerson(1)
    await create({ user_id: buyer.id, valid_from: '2020-01-01', minimum: 100_000 })
    const adjustment = { account_id: `person-${buyer.id}-USD`, amount: -50, reason: 'x' }
    await call(admin, 'POST', '/api/admin/ledger/adjustments/', adjustment)
    const { json } = await call(buyer.session, 'GET', '/api/user/balance')
    expect(json()).toMatchObject({
      currency: 'UZS',
      minimum: 100_000,
      others: [{ currency: 'USD', available: 50, minimum: 0 }],
    })
    const body = { currency: 'USD', amount: 20, details: '8600 1234 5678 9012' }
    const answer = await call(buyer.session, 'POST', '/api/user/withdrawals/', body)
    expect(answer.statusCode, answer.body).toBe(201)
  })
})
