import type pg from 'pg'

/** What leads earned today, and by the same time yesterday. Amounts are decimal texts. */
export interface EarnedToday {
  currency: string
  amount: string
  before: string
}

const earnedSql = `
  select currency, coalesce(sum(amount) filter (where created_at >= current_date), 0)::numeric(30, 2)::text as amount,
    coalesce(sum(amount) filter (where created_at < current_date), 0)::numeric(30, 2)::text as before
  from (
    select currency, -amount as amount, created_at from ledger_entries
    where account_kind = 'person' and ref_id = $1::bigint and cause_type = 'lead' and created_at >= current_date - 1
    union all
    select currency, amount, created_at from ledger_entries
    where $1::bigint is null and account_kind = 'network' and cause_type = 'lead' and created_at >= current_date - 1
  ) e
  where created_at >= current_date or created_at <= now() - interval '1 day'
  group by currency order by currency`

/** What the leads of a person earned for the person; null: what networks owe for all leads. One row for each currency. */
export async function readEarnedToday(pool: pg.Pool, userId: number | null): Promise<EarnedToday[]> {
  return (await pool.query<EarnedToday>(earnedSql, [userId])).rows
}
