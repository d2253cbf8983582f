import { defaultSettlementDays } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { isUnsettledSql } from '../parcels/parcels.queries.ts'

const isUnsettled = sql.raw(isUnsettledSql)

/** SQL: the day of the act of the line `f`. A subquery, so that the planner looks up few acts and never scans all of them. */
const actDaySql = sql.raw('(select fa.act_date from settlement_acts fa where fa.id = f.act_id)')

/**
 * SQL: lines with their state, and what their parcel and tariff say. The first line of a parcel, by the day of its act, settles it;
 * each other one settles it again. Of a partly delivered parcel less money than its cash on delivery is expected.
 */
const checkedLinesSql = (lines: readonly number[]) => sql`
    select l.id as line_id, l.parcel_id, l.orderno, a.courier_account_id, l.collected, l.due,
      l.delivery_fee + l.cash_fee as fee,
      case when l.removed_at is not null then 'removed'
        when l.parcel_id is null then 'unknown_order'
        when l.id <> first.id then 'settled_twice'
        when p.status_code = 'DELIVERED' then 'delivered'
        when p.status_code = 'RETURNED' and l.collected = 0 then 'returned'
        else 'not_delivered' end as state,
      coalesce(case when p.status_code = 'RETURNED' then 0
        when p.status_raw in ('PARTIALLY', 'PARTLYRETURNING', 'PARTLYRETURNED')
          then least(l.collected, p.cod_amount)
        else p.cod_amount end, l.collected) as wanted,
      t.delivery_fee + case when l.collected = 0 then 0
        else round(l.collected * coalesce(t.cash_percent, 0) / 100, 2) + coalesce(t.cash_fee, 0) end as agreed
    from settlement_lines l
    join settlement_acts a on a.id = l.act_id
    left join parcels p on p.id = l.parcel_id
    left join lateral (
      select f.id from settlement_lines f
      where f.parcel_id = l.parcel_id and f.removed_at is null order by ${actDaySql}, f.act_id, f.id limit 1
    ) first on true
    left join lateral (
      select c.delivery_fee, c.cash_percent, c.cash_fee from courier_tariffs c
      where c.courier_account_id = a.courier_account_id and c.valid_from <= coalesce(l.delivered_date, a.act_date)
      order by c.valid_from desc limit 1
    ) t on true
    where l.id = any(${lines}::bigint[])`

/** SQL: a difference `d` that closed and is found again has the time of now. */
const foundAtSql = sql.raw(`case when d.status = 'resolved' then now() else d.created_at end`)

/**
 * Compares lines with their parcels and the tariff, opens their differences and closes those that no longer exist. What a
 * person resolved stays, until its figures change.
 *
 * A line without a parcel, of a parcel that is not delivered, or that settles again, has only this difference. A returned parcel
 * without money is no difference.
 */
export async function checkLines(trx: Db, lines: readonly number[]): Promise<void> {
  await sql`
    with checked as materialized (${checkedLinesSql(lines)}),
    found as materialized (
      select c.*, k.kind, k.expected, k.actual, k.difference
      from checked c cross join lateral (
        select c.state, null::numeric, c.collected, c.due
        where c.state in ('unknown_order', 'settled_twice', 'not_delivered')
        union all
        select 'amount', case when c.collected = c.wanted then c.collected - c.fee else c.wanted end,
          case when c.collected = c.wanted then c.due else c.collected end, c.due - (c.wanted - c.fee)
        where c.state in ('delivered', 'returned') and (c.collected <> c.wanted or c.due <> c.collected - c.fee)
        union all
        select 'fee', c.agreed, c.fee, c.agreed - c.fee where c.state = 'delivered' and c.fee <> c.agreed
      ) k (kind, expected, actual, difference)
    ),
    -- The kinds of each line as one value: a join by line and kind can become one of all lines with all kinds.
    kept as materialized (
      select c.line_id, coalesce(f.kinds, '{}') as kinds
      from checked c left join (select line_id, array_agg(kind) as kinds from found group by line_id) f using (line_id)
    ),
    closed as (
      update settlement_differences d set status = 'resolved', resolved_at = now(), updated_at = now()
      from kept k
      where d.line_id = k.line_id and d.status = 'open' and d.kind <> all(k.kinds)
    )
    insert into settlement_differences as d
      (courier_account_id, line_id, parcel_id, orderno, kind, expected, actual, difference)
    select courier_account_id, line_id, parcel_id, orderno, kind, expected, actual, difference
    from found order by line_id, kind
    on conflict (line_id, kind) do update
      set parcel_id = excluded.parcel_id, expected = excluded.expected, actual = excluded.actual,
        difference = excluded.difference, status = 'open', reason = null, resolved_by = null, resolved_at = null,
        created_at = ${foundAtSql}, updated_at = now()
      where (d.status = 'resolved' and d.resolved_by is null)
        or (d.parcel_id, d.expected, d.actual, d.difference)
          is distinct from (excluded.parcel_id, excluded.expected, excluded.actual, excluded.difference)`.execute(
    trx,
  )
}

/** SQL: the parcel `p` was delivered longer ago than the term of the courier account `c`. */
const isOverdueSql = sql`p.eventtime < now() - make_interval(days => coalesce(c.settlement_days, ${defaultSettlementDays}::int))`

/** SQL: the courier account `c` has acts. One that an admin voided was given by mistake. */
const hasActsSql = sql`exists (select from settlement_acts a where a.courier_account_id = c.id and a.voided_at is null)`

/** SQL: the parcel `p` is missing, and has no difference of its amount and its account that is open or that a person resolved. */
const isNewlyMissingSql = sql`${isUnsettled} and ${isOverdueSql} and not exists (
  select from settlement_differences m where m.parcel_id = p.id and m.kind = 'missing' and m.expected = p.cod_amount
    and (m.resolved_by is not null
      or (m.status = 'open' and m.courier_account_id = coalesce(p.courier_account_id, m.courier_account_id))))`

/** Closes the differences of parcels that are no longer missing. Null: of all parcels. */
export async function closeMissing(db: Db, parcels: readonly number[] | null): Promise<void> {
  const scope = parcels === null ? sql`` : sql`and d.parcel_id = any(${parcels}::bigint[])`
  await sql`
    update settlement_differences d set status = 'resolved', resolved_at = now(), updated_at = now()
    from parcels p, courier_accounts c
    where p.id = d.parcel_id and c.id = coalesce(p.courier_account_id, d.courier_account_id) and d.kind = 'missing' and d.status = 'open'
      and (${isUnsettled} and ${isOverdueSql} and ${hasActsSql}) is not true ${scope}`.execute(db)
}

/**
 * Opens differences of parcels that were delivered for cash longer ago than the term of their account, and are in no act. The account of
 * a parcel is the one that reported it, or else the first one of its owner. Accounts without any act are left out: their courier does
 * not send any. What a person resolved stays, until the amount to collect changes. Answers how many it opened or corrected, `limit` at
 * most.
 */
export async function openMissing(db: Db, limit: number): Promise<number> {
  const { rows } = await sql`
    with accounts as (
      select c.id, c.user_id, c.settlement_days, row_number() over (partition by c.user_id order by c.id) = 1 as is_first
      from courier_accounts c
      where ${hasActsSql}
    ),
    missing as (
      select c.id as courier_account_id, p.id, p.orderno, p.cod_amount
      from accounts c join parcels p on p.courier_account_id = c.id where ${isNewlyMissingSql}
      union all
      select c.id, p.id, p.orderno, p.cod_amount
      from accounts c join parcels p on p.owner_id = c.user_id
      where c.is_first and p.courier_account_id is null and ${isNewlyMissingSql}
      limit ${limit}
    )
    insert into settlement_differences as d
      (courier_account_id, parcel_id, orderno, kind, expected, difference)
    select courier_account_id, id, orderno, 'missing', cod_amount, -cod_amount from missing order by id
    on conflict (parcel_id) where kind = 'missing' do update
      set courier_account_id = excluded.courier_account_id, expected = excluded.expected,
        difference = excluded.difference, status = 'open', reason = null, resolved_by = null, resolved_at = null,
        created_at = ${foundAtSql}, updated_at = now()
      where (d.status = 'resolved' and d.resolved_by is null) or d.expected is distinct from excluded.expected
        or d.courier_account_id <> excluded.courier_account_id
    returning 1`.execute(db)
  return rows.length
}
