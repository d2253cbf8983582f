import type {
  closeStatement,
  listOwnStatementEntries,
  listOwnStatements,
  listStatements,
} from '@karvon/contract/payouts/statements.ts'
import type { BodyOf, QueryOf } from '@karvon/contract/lib/call.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toLikePattern, Where } from '../../resources/lists.where.ts'
import { buildOwnEntryList } from '../ledger/ledger.queries.ts'

const named = (id: string) =>
  `(select json_build_object('id', u.id, 'name', u.name) from users u where u.id = ${id})`

/** The JSON of a statement, from the row `s`. */
export const statementItem = `json_build_object('id', s.id, 'user', ${named('s.user_id')}, 'currency', s.currency,
  'start_date', s.start_date, 'end_date', s.end_date, 'opening', s.opening, 'earned', s.earned, 'reversed', s.reversed,
  'adjusted', s.adjusted, 'paid', s.paid, 'closing', s.closing, 'entries', s.entries, 'closed_by', ${named('s.closed_by')},
  'closed_at', s.closed_at)`

const sortable = { id: 's.id', start_date: 's.start_date', closed_at: 's.closed_at' }
const orderStatements = (sort: unknown) =>
  buildOrderBy({
    columns: sortable,
    sort,
    defaultSort: '-start_date',
    tieBreaker: 's.id',
    notNullKeys: Object.keys(sortable),
  })

export function buildStatementList(query: QueryOf<typeof listStatements>): ListDeclaration {
  const search = query.search?.trim() || undefined
  return {
    table: 'statements',
    alias: 's',
    item: { json: statementItem },
    where: new Where()
      .and('s.user_id = ?', query.user_id)
      .and('s.currency = ?', query.currency)
      .and('s.user_id in (select id from users where name ilike ?)', search && toLikePattern(search)),
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
    visible: where.toString(),
    where: where.and('s.currency = ?', query.currency),
    order: orderStatements(query.sort),
  }
}

/** The entries of a statement, with the sign of what the person earned. */
export const buildStatementEntryList = (
  query: QueryOf<typeof listOwnStatementEntries>,
  statement: StatementPeriod,
): ListDeclaration => {
  const { user_id, currency, start_date, end_date } = statement
  return buildOwnEntryList({ ...query, currency, start_date, end_date }, user_id)
}

export interface StatementPeriod {
  user_id: number
  currency: string
  start_date: string
  end_date: string
}

/** The period of a statement; with `userId` only of this person. */
export const findStatement = (db: Db, id: number, userId?: number): Promise<StatementPeriod | undefined> =>
  db
    .selectFrom('statements')
    .select(['user_id', 'currency', 'start_date', 'end_date'])
    .where('id', '=', id)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .executeTakeFirst()

/**
 * Whether a day is over, and with it every transaction that began on it: none lasts ten minutes. A later commit would
 * change a closed statement.
 */
export async function isDayOver(trx: Db, day: string): Promise<boolean> {
  const { rows } = await sql<{ over: boolean }>`
    select ${day}::date < (now() - interval '10 minutes')::date as over`.execute(trx)
  return rows[0]?.over === true
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

/** Stores the figures of a period, and returns the statement's id. */
export async function insertStatement(
  trx: Db,
  period: BodyOf<typeof closeStatement>,
  closedBy: number,
): Promise<number> {
  const { user_id, currency, start_date, end_date } = period
  const { rows } = await sql<{ id: number }>`
    with entry as (
      select -amount as amount, cause_type, created_at >= ${start_date}::date as is_inside from ledger_entries
      where account_kind = 'person' and ref_id = ${user_id} and currency = ${currency}
        and created_at < ${end_date}::date + 1
    ),
    figures as (
      select coalesce(sum(amount) filter (where not is_inside), 0) as opening,
        coalesce(sum(amount) filter (where is_inside and cause_type not in ('withdrawal', 'adjustment') and amount > 0), 0)
          as earned,
        coalesce(sum(amount) filter (where is_inside and cause_type not in ('withdrawal', 'adjustment') and amount < 0), 0)
          as reversed,
        coalesce(sum(amount) filter (where is_inside and cause_type = 'adjustment'), 0) as adjusted,
        coalesce(sum(amount) filter (where is_inside and cause_type = 'withdrawal'), 0) as paid,
        coalesce(sum(amount), 0) as closing, count(*) filter (where is_inside) as entries
      from entry
    )
    insert into statements (user_id, currency, start_date, end_date, opening, earned, reversed, adjusted, paid, closing,
      entries, closed_by)
    select ${user_id}, ${currency}, ${start_date}::date, ${end_date}::date, opening, earned, reversed, adjusted, paid,
      closing, entries, ${closedBy} from figures
    returning id`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('The statement was not stored')
  return row.id
}
