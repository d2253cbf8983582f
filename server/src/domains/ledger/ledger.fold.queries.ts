import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { WorkDelay } from '../../platform/jobs/jobs.ts'

export const maxLedgerDeltasPerFold = 20_000

export const ledgerFoldWorkDelay: WorkDelay = sql`select 0 from ledger_deltas limit 1`

/**
 * Adds the oldest deltas to the sums and returns their number. It is one statement: a concurrent reader sees each delta
 * either in the delta table or in the sums, and after a kill no delta is lost.
 */
export async function foldLedgerDeltas(db: Db, maxDeltas = maxLedgerDeltasPerFold): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with removed as (
      delete from ledger_deltas
      where id <= (select max(id) from (select id from ledger_deltas order by id limit ${maxDeltas}) d)
      returning *
    ),
    days as (
      insert into ledger_days (account_kind, ref_id, currency, day, amount, entries)
      select account_kind, ref_id, currency, day, sum(amount), sum(entries) from removed group by 1, 2, 3, 4
      order by 1, 2, 3, 4
      on conflict (account_kind, ref_id, currency, day)
      do update set amount = ledger_days.amount + excluded.amount, entries = ledger_days.entries + excluded.entries
    ),
    balances as (
      insert into ledger_balances (account_kind, ref_id, currency, amount, entries)
      select account_kind, ref_id, currency, sum(amount), sum(entries) from removed group by 1, 2, 3 order by 1, 2, 3
      on conflict (account_kind, ref_id, currency)
      do update set amount = ledger_balances.amount + excluded.amount, entries = ledger_balances.entries + excluded.entries
    ),
    holds as (
      insert into ledger_holds (account_kind, ref_id, currency, available_on, amount)
      select account_kind, ref_id, currency, available_on, sum(amount) from removed
      where available_on is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (account_kind, ref_id, currency, available_on)
      do update set amount = ledger_holds.amount + excluded.amount
    ),
    counted as (
      update ledger_entry_count set entries = entries + (select coalesce(sum(r.entries), 0) from removed r)
    )
    select count(*)::integer as folded from removed`.execute(db)
  return rows[0]?.folded ?? 0
}
