import type { createPayoutTerms, listPayoutTerms } from '@karvon/contract/payouts/payout-terms.ts'
import type { BodyOf, QueryOf } from '@karvon/contract/lib/call.ts'
import type { Db } from '../../platform/database/pool.ts'
import { readItem } from '../../resources/lists.answer.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import { buildNamedJson } from '../../resources/named.queries.ts'

/** The JSON of payout terms, from the row `t`. */
const payoutTermsItem = `json_build_object('id', t.id, 'user_id', t.user_id,
  'user', ${buildNamedJson('users', 't.user_id')}, 'offer_id', t.offer_id, 'offer', ${buildNamedJson('offers', 't.offer_id')}, 'valid_from', t.valid_from, 'earned_at', t.earned_at, 'share', t.share,
  'fixed', t.fixed, 'currency', t.currency, 'hold_days', t.hold_days, 'minimum', t.minimum,
  'created_by', ${buildNamedJson('users', 't.created_by')}, 'created_at', t.created_at)`

export const readPayoutTerms = (trx: Db, id: number) =>
  readItem(trx, `select (${payoutTermsItem})::text as item from payout_terms t where t.id = $1`, id)

const notNullColumns = {
  id: 't.id',
  valid_from: 't.valid_from',
  earned_at: 't.earned_at',
  hold_days: 't.hold_days',
  minimum: 't.minimum',
  created_at: 't.created_at',
}
const columns = {
  ...notNullColumns,
  user_id: 't.user_id',
  offer_id: 't.offer_id',
  share: 't.share',
  fixed: 't.fixed',
  currency: 't.currency',
}

export function buildPayoutTermsList(query: QueryOf<typeof listPayoutTerms>): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  return {
    table: 'payout_terms',
    alias: 't',
    item: { json: payoutTermsItem },
    where: new Where()
      .andEqual(columns, query)
      .and(
        `(t.user_id in (select id from users where name ~* ?) or t.offer_id in (select id from offers where name ~* ?))`,
        pattern,
        pattern,
      ),
    order: buildOrderBy({
      columns,
      sort: query.sort,
      defaultSort: '-valid_from',
      tieBreaker: 't.id',
      notNullKeys: Object.keys(notNullColumns),
    }),
  }
}

export async function insertPayoutTerms(
  trx: Db,
  terms: BodyOf<typeof createPayoutTerms>,
  userId: number,
): Promise<number> {
  const { user_id = null, offer_id = null, share = null, fixed = null, currency = null, ...rest } = terms
  const { id } = await trx
    .insertInto('payout_terms')
    .values({ ...rest, user_id, offer_id, share, fixed, currency, created_by: userId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Locks payout terms and returns their row. */
export const lockPayoutTerms = (trx: Db, id: number) =>
  trx.selectFrom('payout_terms').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const deletePayoutTermsRow = (trx: Db, id: number) =>
  trx.deleteFrom('payout_terms').where('id', '=', id).execute()
