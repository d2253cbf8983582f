import { sql } from 'kysely'
import type { Db } from '../platform/database/pool.ts'

/**
 * Runs `work` in a transaction in which each ledger entry gets the time of its cause instead of the present: the demo has
 * a past. What a person earns becomes available so many days after that time as the payout terms say. The trigger that
 * does this exists in this transaction only.
 */
export async function postAtTimeOfCause(trx: Db, work: () => Promise<void>): Promise<void> {
  await sql`
    create function demo_posting_time() returns trigger language plpgsql as $$
    begin
      new.created_at := least(now(), coalesce(case new.cause_type
        when 'lead' then (select updated_at from leads where id = new.cause_id)
        when 'settlement_line' then (
          select a.act_date + interval '10 hours' from settlement_acts a
          join settlement_lines l on l.act_id = a.id where l.id = new.cause_id)
        when 'settlement_act' then (
          select coalesce(paid_at, act_date) + interval '11 hours' from settlement_acts where id = new.cause_id)
        when 'network_transaction' then (select created_at from network_transactions where id = new.cause_id)
        when 'withdrawal' then (select paid_on + interval '12 hours' from withdrawals where id = new.cause_id)
      end, now()));
      -- A reversal keeps the day of what it reverses.
      if new.cause_type = 'lead' and new.account_kind = 'person' and new.amount < 0 then
        new.available_on := new.created_at::date + (new.available_on - current_date);
      end if;
      return new;
    end $$`.execute(trx)
  await sql`create trigger demo_posting_time before insert on ledger_entries
    for each row execute function demo_posting_time()`.execute(trx)
  await work()
  await sql`drop trigger demo_posting_time on ledger_entries`.execute(trx)
  await sql`drop function demo_posting_time`.execute(trx)
}
