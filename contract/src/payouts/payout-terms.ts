import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { maxHoldDays } from '../lib/limits.ts'
import { Currency, Money, StoredCurrency } from '../lib/money.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, Day, OneOf, nullable } from '../lib/schemas.ts'

/** In percent of a payout. */
export const maxShare = 100

/** When a person earns a lead: as soon as it is sold, or once its parcel is delivered too. */
export const earningStates = ['sold', 'delivered'] as const

/**
 * What a person earns by a lead: `share` percent of its payout, or `fixed` in `currency`, which is null for the currency of
 * each lead. `hold_days`: the days until the money is available. `minimum`: the smallest withdrawal in the installation's
 * currency; other currencies have none. `user`, `offer`: the person and the offer of the terms; null: all. `valid_from`: the
 * first day of the leads that the terms are for. Person and offer are more specific than person, offer, and neither, in this order.
 */
export const PayoutTerms = Type.Object({
  id: Type.Integer(),
  user_id: nullable(Type.Integer()),
  user: nullable(Named),
  offer_id: nullable(Type.Integer()),
  offer: nullable(Named),
  valid_from: Day,
  earned_at: OneOf(earningStates),
  share: nullable(Type.Number()),
  fixed: nullable(Type.Number()),
  currency: nullable(StoredCurrency),
  hold_days: Type.Integer(),
  minimum: Type.Number(),
  created_by: nullable(Named),
  created_at: DateTime,
})
export type PayoutTerms = Static<typeof PayoutTerms>

const termsPath = '/api/admin/payout-terms/'

/** `search` matches the names of the person and the offer. */
export const listPayoutTerms = call({
  id: 'payout-terms.list',
  summary: 'List the payout terms, old ones included',
  method: 'GET',
  path: termsPath,
  feature: 'payouts',
  guard: 'admin',
  query: listQuery(
    [
      'id',
      'user_id',
      'offer_id',
      'valid_from',
      'earned_at',
      'share',
      'fixed',
      'currency',
      'hold_days',
      'minimum',
      'created_at',
    ],
    {
      id: Id,
      user_id: Id,
      offer_id: Id,
      valid_from: Day,
      earned_at: OneOf(earningStates),
      share: Money,
      fixed: Money,
      currency: StoredCurrency,
      hold_days: Type.Integer({ minimum: 0, maximum: maxHoldDays }),
      minimum: Money,
      created_at: DateTime,
    },
  ),
  answer: pageSchema(PayoutTerms),
})

/**
 * Exactly one of `share` and `fixed`. Only a fixed amount has a `currency`. Terms change no stored lead: 422 if leads of them
 * are stored. 409 for second terms of the same person, offer and day.
 */
export const createPayoutTerms = call({
  id: 'payout-terms.create',
  summary: 'Set payout terms from a day on',
  method: 'POST',
  path: termsPath,
  feature: 'payouts',
  guard: 'admin',
  status: 201,
  body: Type.Object({
    user_id: Type.Optional(nullable(Id)),
    offer_id: Type.Optional(nullable(Id)),
    valid_from: Day,
    earned_at: OneOf(earningStates),
    share: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: maxShare, multipleOf: 0.01 }))),
    fixed: Type.Optional(nullable(Money)),
    currency: Type.Optional(nullable(Currency)),
    hold_days: Type.Integer({ minimum: 0, maximum: maxHoldDays }),
    minimum: Money,
  }),
  answer: PayoutTerms,
})

/** 409 for terms that have stored leads. */
export const deletePayoutTerms = call({
  id: 'payout-terms.delete',
  summary: 'Delete payout terms that have no leads yet',
  method: 'DELETE',
  path: `${termsPath}:id/`,
  feature: 'payouts',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: Type.Object({ id: Type.Integer() }),
})

export const payoutTermsCalls = [listPayoutTerms, createPayoutTerms, deletePayoutTerms]
