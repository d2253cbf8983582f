import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** What a person has in an act. Amounts are decimal texts. */
export interface OwnActSums {
  userId: number
  number: string
  currency: string
  /** yyyy-mm-dd */
  day: string
  parcels: number
  due: string
}

/** The sums of each person who has parcels in an act. None for an act that is older than `maxDays`. */
export async function readOwnActSums(trx: Db, actId: number, maxDays: number): Promise<OwnActSums[]> {
  const { rows } = await sql<OwnActSums>`
    select p.owner_id as "userId", a.number, a.currency, a.act_date::text as day,
      count(distinct p.id)::int as parcels, sum(l.due)::text as due
    from settlement_acts a
    join settlement_lines l on l.act_id = a.id and l.removed_at is null
    join parcels p on p.id = l.parcel_id
    where a.id = ${actId} and a.act_date >= current_date - ${maxDays}::int and p.owner_id is not null
    group by p.owner_id, a.id`.execute(trx)
  return rows
}

/** The parcels of a person whose money is missing from every act. */
export interface MissingMoney {
  userId: number
  /** Today, yyyy-mm-dd. */
  today: string
  /** The term of the account, in days. */
  days: number
  parcels: number
  amount: string
}

/** The people who have missing money, and more of it than at their last notice. The key of such a notice begins with `key`. */
export async function findMissingMoney(db: Db, key: string, defaultDays: number): Promise<MissingMoney[]> {
  const { rows } = await sql<MissingMoney>`
    select p.owner_id as "userId", current_date::text as today,
      min(coalesce(c.settlement_days, ${defaultDays}::int)) as days, count(*)::int as parcels,
      coalesce(sum(p.cod_amount), 0)::text as amount
    from settlement_differences d
    join parcels p on p.id = d.parcel_id
    join courier_accounts c on c.id = d.courier_account_id
    where d.kind = 'missing' and d.status = 'open' and p.owner_id is not null
    group by p.owner_id
    having max(d.created_at) > coalesce((
      select max(n.created_at) from notices n where n.user_id = p.owner_id and starts_with(n.once, ${key})), '-infinity')
    order by p.owner_id`.execute(db)
  return rows
}
