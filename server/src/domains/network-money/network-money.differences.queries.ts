import type { listNetworkDifferences } from '@karvon/contract/network-money/network-money.ts'
import type { QueryOf } from '@karvon/contract/lib/call.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import { networkAccountsSql } from './network-money.queries.ts'

/** The sums of the network's transactions for each order, and our sold leads. `account` has one row. */
const leadQueries = `
  entries as materialized (
    select n.* from account a join network_transactions n
      on n.source_credential_id = a.id and n.source_id = a.source_id and n.kind = 'transaction' and n.currency = a.currency
  ),
  counted as (
    select target_id, max(lead_id) as lead_id, sum(amount) as amount, max(created_at) as at
    from entries where target_kind = 'order' group by target_id
  ),
  sold as (
    select l.id, l.external_id, case when l.currency = a.currency then l.payout else 0 end as payout, l.source_status,
      l.updated_at
    from account a
    join streams s on s.user_id = a.user_id
    join leads l on l.stream_id = s.id and l.source_id = a.source_id
    join statuses status on status.id = l.status_id
    join status_types type on type.id = status.type_id and type.code = 'sold'
    where exists (select from entries)
  ),
  lead_lines as (
    select case
        when c.target_id is null then 'lead_not_counted'
        when c.lead_id is null then 'unknown_lead'
        when o.id is not null and c.amount > 0 then 'payout_differs'
        when o.id is not null or s.user_id = (select user_id from account) then 'status_differs'
        else 'other_person'
      end as kind,
      coalesce(c.target_id, o.external_id) as external_id, coalesce(c.lead_id, o.id) as lead_id,
      coalesce(l.source_status, o.source_status) as status, null as comment, coalesce(c.amount, 0) as actual,
      coalesce(o.payout, 0) as expected, coalesce(c.at, o.updated_at) as at
    from counted c
    full join sold o on o.id = c.lead_id
    left join leads l on l.id = c.lead_id
    left join streams s on s.id = l.stream_id
    where coalesce(c.amount, 0) <> coalesce(o.payout, 0)
  )`

/**
 * What the network debited for withdrawals, with the withdrawal of the same id, or else of the same amount.
 */
const withdrawalQueries = `
  withdrawals_read as (
    select n.id, n.key, n.amount, n.status, n.is_paid,
      row_number() over (partition by n.amount order by n.is_paid desc, n.created_at, n.id) as number
    from account a join network_transactions n
      on n.source_credential_id = a.id and n.source_id = a.source_id and n.kind = 'withdrawal' and n.currency = a.currency
  ),
  debits as (
    select d.*, row_number() over (partition by d.amount order by d.at, d.external_id) as number
    from (
      select max(target_id) as target_id,
        coalesce(max(target_id), max(substr(key, 4)) filter (where key like 'id:%')) as external_id,
        max(comment) as comment, sum(amount) as amount, max(created_at) as at
      from entries where target_kind = 'withdrawal' group by coalesce('id ' || target_id, 'row ' || id)
      having sum(amount) <> 0
    ) d
  ),
  withdrawal_lines as (
    select case when coalesce(i.id, m.id) is null then 'withdrawal_not_listed' else 'withdrawal_unpaid' end as kind,
      d.external_id, null::bigint as lead_id, coalesce(i.status, m.status) as status, d.comment, d.amount as actual,
      0 as expected, d.at
    from debits d
    left join withdrawals_read i on i.key = 'id:' || d.target_id
    left join withdrawals_read m on i.id is null and m.amount = -d.amount and m.number = d.number
      and (d.target_id is null or not exists (select from withdrawals_read where key like 'id:%'))
    where coalesce(i.is_paid, m.is_paid) is not true
  )`

const columns = 'kind, external_id, lead_id, status, comment, actual, expected, at'

/** All lines. Their differences sum to the difference of the account. */
const lineQueries = `
  explained as materialized (
    select ${columns} from lead_lines
    union all select ${columns} from withdrawal_lines
    union all select 'other_transaction', case when key like 'id:%' then substr(key, 4) end, null, null,
      coalesce(comment, type), amount, 0, created_at
      from entries where target_kind = 'other' and amount <> 0
  ),
  -- A network can credit a lead when its hold ends: its hold then explains leads that it does not count.
  rest as (
    select amount, least(on_hold, greatest(amount, 0)) as held, money_at
    from (
      select a.difference - (select coalesce(sum(actual - expected), 0) from explained) as amount, a.on_hold, a.money_at
      from account a where exists (select from entries)
    ) r
    union all
    select difference, 0, money_at from account where not exists (select from entries)
  ),
  lines as materialized (
    select row_number() over (order by abs(actual - expected) desc, kind, external_id, at) as id, ${columns},
      actual - expected as difference
    from (
      select ${columns} from explained
      union all select 'on_hold', null, null, null, null, held, 0, money_at from rest where held <> 0
      union all select 'unexplained', null, null, null, null, amount - held, 0, money_at from rest where amount <> held
    ) l
  )`

/** The lines that explain the difference of an account. */
export function buildMoneyDifferenceList(
  query: QueryOf<typeof listNetworkDifferences>,
  credentialId: number,
  currency: string,
): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  const where = new Where()
  const account = networkAccountsSql(
    `c.id = ${where.addParameter(credentialId)}`,
    where.addParameter(currency),
  )
  where.and('n.kind = ?', query.kind).and('n.external_id ~* ?', pattern)
  const sorts = ['id', 'external_id', 'actual', 'expected', 'difference', 'at']
  return {
    table: 'lines',
    alias: 'n',
    with: `account as materialized (${account}), ${leadQueries}, ${withdrawalQueries}, ${lineQueries}`,
    item: {
      columns: `n.id, n.kind, n.external_id, n.lead_id, n.status, n.comment, n.actual, n.expected, n.difference, n.at`,
    },
    where,
    scopeCondition: 'true',
    order: buildOrderBy({
      columns: Object.fromEntries(sorts.map((key) => [key, `n.${key}`])),
      sort: query.sort,
      defaultSort: 'id',
      tieBreaker: 'n.id',
    }),
    planning: 'values',
  }
}
