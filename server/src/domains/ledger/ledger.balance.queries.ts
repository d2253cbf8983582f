import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** Decimal texts with two decimals. `owed`: what we owe the person. `on_hold`: the part of it that is not available yet. */
export interface PersonBalance {
  user_id: number
  currency: string
  owed: string
  on_hold: string
}

/** The balances of people, one for each person and currency with entries. */
export async function readPersonBalances(db: Db, userIds: readonly number[]): Promise<PersonBalance[]> {
  const { rows } = await sql<PersonBalance>`
    select ref_id as user_id, currency, (-sum(amount))::numeric(30, 2)::text as owed,
      (-sum(hold))::numeric(30, 2)::text as on_hold
    from (
      select ref_id, currency, amount, 0 as hold from ledger_balances
        where account_kind = 'person' and ref_id = any(${userIds}::bigint[])
      union all select ref_id, currency, 0, amount from ledger_holds
        where account_kind = 'person' and ref_id = any(${userIds}::bigint[]) and available_on > current_date
      union all select ref_id, currency, amount, case when available_on > current_date then amount else 0 end
        from ledger_deltas where account_kind = 'person' and ref_id = any(${userIds}::bigint[])
    ) s
    group by ref_id, currency order by ref_id, currency`.execute(db)
  return rows
}
