import { maxPayoutCurrencies } from '@karvon/contract/lib/limits.ts'
import type { Where } from '../../resources/lists.where.ts'
import type { Viewer } from '../../platform/http/guard.ts'
import { ownLeadCondition } from './rollups.queries.ts'

/** Ids of sources, streams and buyers. Id 0 of a stream finds leads without one, of a buyer also streams without one. */
export interface CurrencyFilter {
  source?: readonly number[] | undefined
  stream?: readonly number[] | undefined
  buyer?: readonly number[] | undefined
}

/**
 * SQL of a JSON array: the sorted codes of the currencies of the rows `c` of `lead_currencies` for which the conditions hold. It steps
 * from one code to the next by the key, so the number of streams does not matter.
 */
export const listCurrenciesSql = (conditions: readonly string[]): string => `(with recursive codes as (
      select min(currency) as currency from lead_currencies
      union all
      select (select min(c.currency) from lead_currencies c where c.currency > k.currency) from codes k
      where k.currency is not null
    )
    select coalesce(json_agg(f.currency order by f.currency), '[]') from (
      select k.currency from codes k
      where k.currency is not null and exists (
        select from lead_currencies c where ${['c.currency = k.currency', ...conditions].join(' and ')})
      order by k.currency limit ${maxPayoutCurrencies}
    ) f)`

/** SQL of a JSON array: the sorted codes of the currencies that the filtered leads of a viewer have or had, or all leads for null. */
export function currenciesSql(
  parameters: Where,
  { source, stream, buyer }: CurrencyFilter,
  viewer: Viewer | null,
): string {
  return listCurrenciesSql([
    ...(viewer === null ? [] : [ownLeadCondition(parameters, 'c', viewer)]),
    ...(source === undefined ? [] : [parameters.writeOneOf('c.source_id', source, 'bigint')]),
    ...(stream === undefined ? [] : [parameters.writeOneOf('c.stream_id', stream, 'bigint')]),
    ...(buyer === undefined ? [] : [`(${buyerConditions(parameters, buyer).join(' or ')})`]),
  ])
}

function buyerConditions(parameters: Where, buyers: readonly number[]): string[] {
  const ids = buyers.filter((id) => id !== 0)
  const streamsOf = (condition: string) => `c.stream_id in (select id from streams where ${condition})`
  return [
    ...(ids.length < buyers.length ? ['c.stream_id = 0', streamsOf('user_id is null')] : []),
    ...(ids.length > 0 ? [streamsOf(parameters.writeOneOf('user_id', ids, 'bigint'))] : []),
  ]
}
