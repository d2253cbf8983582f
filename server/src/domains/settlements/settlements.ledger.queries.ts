import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/**
 * Posts to the ledger what lines of acts changed, in the transaction that changed them, which holds the lock on the
 * courier account. The courier owes the due amount of a line to us, and we owe it to the owner of the parcel. Without a
 * known owner it is on the account `unassigned`. It is on hold until the courier pays the act.
 */
export async function postLineEntries(trx: Db, lines: readonly number[]): Promise<void> {
  await sql`
    with line as materialized (
      select l.id, a.courier_account_id, a.currency, l.due, p.owner_id, coalesce(a.paid_at, 'infinity'::date) as available_on
      from settlement_lines l join settlement_acts a on a.id = l.act_id left join parcels p on p.id = l.parcel_id
      where l.id = any(${lines}::bigint[]) and l.removed_at is null and l.due <> 0
    )
    select post_ledger_entries('settlement_line', ${lines}::bigint[],
      coalesce((select array_agg(entry::ledger_target) from (
        select id, 'courier', courier_account_id, currency, due, null::date from line
        union all
        select id, case when owner_id is null then 'unassigned' else 'person' end, coalesce(owner_id, 0), currency, -due,
          case when owner_id is null then null else available_on end from line
      ) entry), '{}'))`.execute(trx)
}

/**
 * Posts to the ledger what an act changed beside its lines: a correction of the act is a fee of ours, and the payment of the
 * act moves what the courier owes to `paid`.
 */
export async function postActEntries(trx: Db, actId: number): Promise<void> {
  await sql`
    with act as (select * from settlement_acts where id = ${actId}),
    entry (cause_id, account_kind, ref_id, currency, amount, available_on) as (
      select id, 'courier', courier_account_id, currency, -correction, null::date from act where correction <> 0
      union all select id, 'fees', 0, currency, correction, null from act where correction <> 0
      union all select id, 'courier', courier_account_id, currency, -due, null from act where paid_at is not null and due <> 0
      union all select id, 'paid', 0, currency, due, null from act where paid_at is not null and due <> 0
    ),
    -- One entry an account, because the correction and the payment are of the same.
    summed as (
      select cause_id, account_kind, ref_id, currency, sum(amount) as amount, available_on from entry
      group by cause_id, account_kind, ref_id, currency, available_on
    )
    select post_ledger_entries('settlement_act', array[${actId}::bigint],
      coalesce((select array_agg(summed::ledger_target) from summed), '{}'))`.execute(trx)
}
