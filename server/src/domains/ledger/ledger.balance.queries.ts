import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** Decimal texts with two decimals. `owed`: what we owe the person. `on_hold`: the part of it that is not available yet. */
export interface PersonBalance {
  currency: string
  owed: string
  on_hold: string
}

/** The balances of a person, one for each currency that has entries. */
export async function readPersonBalances(db: Db, userId: number): Promise<PersonBalance[]> {
  const { rows } = await sql<PersonBalance>`
    select currency, (-sum(amount))::numeric(30, 2)::text as owed, (-sum(hold))::numeric(30, 2)::text as on_hold
    from (
      select currency, amount, 0 as hold from ledger_balances
        where account_kind = 'person' and ref_id = ${userId}
      union all select currency, 0, amount from ledger_holds
        where account_kind = 'person' and ref_id = ${userId} and available_on > current_date
      union all select currency, amount, case when available_on > current_date then amount else 0 end from ledger_deltas
        where account_kind = 'person' and ref_id = ${userId}
    ) s
    group by currency order by currency`.execute(db)
  return rows
}
