import type {
  closeStatement,
  listOwnStatements,
  listStatements,
} from '@karvon/contract/payouts/statements.ts'
import type { BodyOf, QueryOf } from '@karvon/contract/lib/call.ts'
import { sql } from 'kysely'
import { dayStart } from '../../platform/database/day-bounds.ts'
import type { Db } from '../../platform/database/pool.ts'
import { readItem } from '../../resources/lists.answer.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import { buildNamedJson } from '../../resources/named.queries.ts'

/** The JSON of a statement, from the row `s`. */
const statementItem = `json_build_object('id', s.id, 'user', ${buildNamedJson('users', 's.user_id')}, 'currency', s.currency,
  'start_date', s.start_date, 'end_date', s.end_date, 'opening', s.opening, 'earned', s.earned, 'reversed', s.reversed,
  'fees', s.fees, 'adjusted', s.adjusted, 'paid', s.paid, 'closing', s.closing, 'entries', s.entries, 'closed_by', ${buildNamedJson('users', 's.closed_by')},
  'closed_at', s.closed_at)`

export const readStatement = (trx: Db, id: number) =>
  readItem(trx, `select (${statementItem})::text as item from statements s where s.id = $1`, id)

const sortable = { id: 's.id', start_date: 's.start_date', closed_at: 's.closed_at' }
const exactColumns = {
  ...sortable,
  currency: 's.currency',
  end_date: 's.end_date',
  opening: 's.opening',
  earned: 's.earned',
  reversed: 's.reversed',
  fees: 's.fees',
  adjusted: 's.adjusted',
  paid: 's.paid',
  closing: 's.closing',
  entries: 's.entries',
}
const orderStatements = (sort: unknown) =>
  buildOrderBy({
    columns: sortable,
    sort,
    defaultSort: '-start_date',
    tieBreaker: 's.id',
    notNullKeys: Object.keys(sortable),
  })

export function buildStatementList(query: QueryOf<typeof listStatements>): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  return {
    table: 'statements',
    alias: 's',
    item: { json: statementItem },
    where: new Where()
      .andEqual({ ...exactColumns, user_id: 's.user_id' }, query)
      .and('s.user_id in (select id from users where name ~* ?)', pattern),
    order: orderStatements(query.sort),
  }
}

export function buildOwnStatementList(
  query: QueryOf<typeof listOwnStatements>,
  userId: number,
): ListDeclaration {
  const where = new Where().and('s.user_id = ?', userId)
  return {
    table: 'statements',
    alias: 's',
    item: { json: statementItem },
    scopeCondition: where.toString(),
    where: where
      .andEqual(exactColumns, query)
      .and(`concat_ws(' ', s.currency, s.start_date, s.end_date) ~* ?`, toSearchPattern(query.search)),
    order: orderStatements(query.sort),
  }
}

export interface StatementPeriod {
  user_id: number
  currency: string
  start_date: string
  end_date: string
}

/** The person of a statement. */
export async function findStatementOwner(db: Db, id: number): Promise<number | undefined> {
  const statement = db.selectFrom('statements').select('user_id').where('id', '=', id)
  return (await statement.executeTakeFirst())?.user_id
}

/**
 * Whether a day is over, and with it every transaction that began on it: none lasts ten minutes. A later commit would
 * change a closed statement.
 */
export async function isDayOver(trx: Db, day: string): Promise<boolean> {
  const { rows } = await sql<{ is_over: boolean }>`
    select ${sql.raw(dayStart('day + 1'))} <= now() - interval '10 minutes' as is_over
    from (select ${day}::date as day) d`.execute(trx)
  return rows[0]?.is_over === true
}

/** A closed statement that shares a day with the period. */
export const findOverlap = (trx: Db, { user_id, currency, start_date, end_date }: StatementPeriod) =>
  trx
    .selectFrom('statements')
    .select(['start_date', 'end_date'])
    .where('user_id', '=', user_id)
    .where('currency', '=', currency)
    .where('start_date', '<=', end_date)
    .where('end_date', '>=', start_date)
    .executeTakeFirst()

/**
 * Stores the figures of a period, and returns the statement's id. The caller has locked the person. After a change of
 * the installation's time zone a period begins where the one before it ended, and ends where the next one begins, so
 * that every entry is in one statement.
 */
export async function insertStatement(
  trx: Db,
  period: BodyOf<typeof closeStatement>,
  closedBy: number,
): Promise<number> {
  const { user_id, currency, start_date, end_date } = period
  const personStatements = sql`statements where user_id = ${user_id} and currency = ${currency}`
  const { rows } = await sql<{ id: number }>`
    with days as (select ${start_date}::date as start_date, ${end_date}::date as end_date),
    period as (
      select *, ${sql.raw(dayStart('start_date'))} as first_at, ${sql.raw(dayStart('end_date + 1'))} as next_at from days
    ),
    first_moment as (
      select coalesce((
        select case when end_date + 1 = p.start_date then ends_at else greatest(ends_at, p.first_at) end
        from ${personStatements} and end_date < p.start_date order by end_date desc limit 1
      ), p.first_at) as starts_at
      from period p
    ),
    bounds as (
      select f.starts_at, greatest(f.starts_at, coalesce((
        select case when start_date - 1 = p.end_date then starts_at else least(starts_at, p.next_at) end
        from ${personStatements} and start_date > p.end_date order by start_date limit 1
      ), p.next_at)) as ends_at
      from period p, first_moment f
    ),
    entry as (
      select e.id, -e.amount as amount, e.cause_type, e.cause_id, e.created_at, e.created_at >= b.starts_at as is_inside
      from ledger_entries e, bounds b
      where e.account_kind = 'person' and e.ref_id = ${user_id} and e.currency = ${currency} and e.created_at < b.ends_at
    ),
    -- The entries that one transaction posted for a cause. They sum to 0 if only the day of availability changed.
    posting as (
      select cause_type, cause_id, is_inside, sum(amount) as amount, min(id) as id
      from entry where cause_type not in ('withdrawal', 'adjustment') group by cause_type, cause_id, is_inside, created_at
    ),
    -- An act line below 0 is a fee, because the courier collected less than its fees.
    change as (
      select is_inside, amount, case when cause_type = 'settlement_line' then least(total, 0) - least(total - amount, 0)
        else 0 end as fee
      from (select *, sum(amount) over (partition by cause_type, cause_id order by id) as total from posting) p
    ),
    causes as (
      select coalesce(sum(amount - fee) filter (where amount > fee), 0) as earned,
        coalesce(sum(amount - fee) filter (where amount < fee), 0) as reversed, coalesce(sum(fee), 0) as fees
      from change where is_inside
    ),
    figures as (
      select coalesce(sum(amount) filter (where not is_inside), 0) as opening,
        coalesce(sum(amount) filter (where is_inside and cause_type = 'adjustment'), 0) as adjusted,
        coalesce(sum(amount) filter (where is_inside and cause_type = 'withdrawal'), 0) as paid,
        coalesce(sum(amount), 0) as closing, count(*) filter (where is_inside) as entries
      from entry
    )
    insert into statements (user_id, currency, start_date, end_date, starts_at, ends_at, opening, earned, reversed, fees,
      adjusted, paid, closing, entries, closed_by)
    select ${user_id}, ${currency}, start_date, end_date, starts_at, ends_at, opening, earned, reversed, fees, adjusted,
      paid, closing, entries, ${closedBy} from period, bounds, causes, figures
    returning id`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('The statement was not stored')
  return row.id
}
