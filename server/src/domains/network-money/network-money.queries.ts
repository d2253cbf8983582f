import type { listNetworkMoney } from '@karvon/contract/network-money/network-money.ts'
import type { QueryOf } from '@karvon/contract/lib/call.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import { ownerProfitSql } from '../rollups/rollups.queries.ts'

/**
 * SQL of what the leads of the credential `c` earned in a currency. `p`: the profit of its person at its source, which adds all
 * currencies. The leads are read only if some have or had another currency.
 */
const buildEarned = (currency: string) => `case when exists (
    select from streams o join lead_currencies k on k.stream_id = o.id and k.source_id = c.source_id
    where o.user_id = c.user_id and k.currency <> ${currency})
  then (select coalesce(sum(l.payout), 0) from streams o join leads l on l.stream_id = o.id and l.source_id = c.source_id
    join statuses status on status.id = l.status_id
    join status_types type on type.id = status.type_id and type.code = 'sold'
    where o.user_id = c.user_id and l.currency = ${currency})
  else coalesce(p.profit, 0) end`

/** SQL: what the oldest CPA credential of a source credential's source says about money, or else its connector. */
const descriptionSql = (credential: string) => `
      select coalesce(w.mapping #>> '{money,currency}', d.description #>> '{money,currency}') as currency,
        coalesce(w.mapping #>> '{finance,hold_of}', d.description #>> '{finance,hold_of}') as hold_of,
        coalesce(w.mapping #>> '{finance,fields,balance}', d.description #>> '{finance,fields,balance}') is not null
          as has_balance
      from cpa_websites w join connectors d on lower(d.code) = lower(w.connector)
      where w.cpa_source_id = ${credential}.source_id order by w.id limit 1`

/** SQL: the currency of the account of the credential `id`. Without a description it is `currency`, the one of the installation. */
export const accountCurrencySql = (id: string, currency: string): string =>
  `coalesce((select d.currency from source_credentials c cross join lateral (${descriptionSql('c')}) d where c.id = ${id}), ${currency})`

/** SQL of the money of source credentials. `condition` is about the credential `c`, `currency` is a parameter. */
export const networkAccountsSql = (condition: string, currency: string): string => {
  const accountCurrency = `coalesce(w.currency, ${currency}::text)`
  return `
  select m.*, m.earned - m.paid_out - m.on_hold as expected,
    m.balance - (m.earned - m.paid_out - m.on_hold) as difference
  from (
    select c.id, c.name, c.source_id, s.name as source_name, c.user_id, u.name as user_name,
      ${accountCurrency} as currency, ${buildEarned(accountCurrency)} as earned,
      coalesce(w_paid.amount, 0) as paid_out, case when w.hold_of = 'open' then 0 else coalesce(st.hold, 0) end as on_hold,
      st.balance, st.money_at, w.has_balance
    from source_credentials c
    join cpa_sources s on s.id = c.source_id
    join users u on u.id = c.user_id
    left join sync_states st on st.source_credential_id = c.id
    left join (${ownerProfitSql}) p on p.user_id = c.user_id and p.source_id = c.source_id
    left join lateral (${descriptionSql('c')}
    ) w on true
    left join lateral (
      select sum(n.amount) as amount from network_transactions n
      where n.source_credential_id = c.id and n.source_id = c.source_id and n.is_paid
        and n.currency = ${accountCurrency}
    ) w_paid on true
    where ${condition}
  ) m`
}

/** One row for each source credential. */
export function buildNetworkMoneyList(
  query: QueryOf<typeof listNetworkMoney>,
  currency: string,
): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  const where = new Where()
  const accounts = networkAccountsSql('true', where.addParameter(currency))
  const sorts = [
    'id',
    'name',
    'earned',
    'paid_out',
    'on_hold',
    'expected',
    'balance',
    'difference',
    'money_at',
  ]
  const columns = Object.fromEntries(sorts.map((key) => [key, `a.${key}`]))
  where
    .andEqual({ ...columns, source_id: 'a.source_id', user_id: 'a.user_id', currency: 'a.currency' }, query)
    .and('(coalesce(a.difference, 0) <> 0) = ?', query.has_difference)
    .and('(a.name ~* ? or a.source_name ~* ? or a.user_name ~* ?)', pattern, pattern, pattern)
  return {
    table: 'accounts',
    alias: 'a',
    with: `accounts as materialized (${accounts})`,
    item: {
      columns: `a.id, a.name, json_build_object('id', a.source_id, 'name', a.source_name) as source,
        json_build_object('id', a.user_id, 'name', a.user_name) as "user", a.currency, a.earned, a.paid_out, a.on_hold,
        a.expected, a.balance, case when a.balance is not null then null when a.has_balance then 'not_read'
          else 'not_described' end as balance_missing, a.difference, a.money_at`,
    },
    where,
    scopeCondition: 'true',
    order: buildOrderBy({
      columns,
      sort: query.sort,
      defaultSort: 'name',
      tieBreaker: 'a.id',
      textKeys: ['name'],
    }),
    planning: 'values',
  }
}
