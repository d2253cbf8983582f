import type { QueryOf } from '@karvon/contract/lib/call.ts'
import { maxHistoryShown, maxParcelsScanned } from '@karvon/contract/lib/limits.ts'
import { parcelCodes, type listParcels } from '@karvon/contract/parcels/parcels.ts'
import { defaultNoProgressDays, parcelProblems } from '@karvon/contract/parcels/problems.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/pool.ts'
import type { Identity } from '../../platform/http/guard.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, Where } from '../../resources/lists.where.ts'
import { buildNamedJson } from '../../resources/named.queries.ts'
import { newestEventFirst } from './parcels.event-rank.ts'
import { buildOrderNumberSearch, buildParcelSearch, cutSearch, isIndexed } from './parcels.search.ts'

/** A parcel for the wire, from the row `p`. `currency` is the parameter with the installation's currency. */
const parcelJson = (currency: string) => `'id', p.id, 'orderno', p.orderno, 'barcode', p.barcode,
  'status', json_build_object('code', p.status_code, 'title', p.status_title, 'eventtime', p.eventtime),
  'date', p.day,
  'package', json_build_object('type_name', p.type_name, 'weight', p.weight, 'quantity', p.quantity,
    'service_name', p.service_name, 'delivery_price', p.delivery_price),
  'receiver', json_build_object('person', p.person, 'company', p.company, 'phone', p.phone,
    'address', p.address, 'town', p.town),
  'owner', ${buildNamedJson('users', 'p.owner_id')},
  'problem', ${problemSql(String(defaultNoProgressDays))},
  'cod_amount', p.cod_amount, 'pay_type', p.pay_type, 'declared_value', p.declared_value,
  'currency', ${currency}::text,
  'courier', json_build_object('code', p.courier_code, 'name', p.courier_name, 'phone', p.courier_phone),
  'items', coalesce(p.items, '[]'), 'settled_at', p.settled_at`

const sortable = {
  id: 'p.id',
  orderno: 'p.orderno',
  date: 'p.day',
  status: 'p.status_code',
  eventtime: 'p.eventtime',
  person: 'p.person',
  town: 'p.town',
  weight: 'p.weight',
  delivery_price: 'p.delivery_price',
  cod_amount: 'p.cod_amount',
  pay_type: 'p.pay_type',
  declared_value: 'p.declared_value',
  courier: 'p.courier_name',
  settled_at: 'p.settled_at',
}

/** The exact filters. Unlike them, `orderno` finds a part, and `status` is left out of the counts by status. */
const exactColumns = {
  id: 'p.id',
  barcode: 'p.barcode',
  date: 'p.day',
  owner_id: 'p.owner_id',
  cod_amount: 'p.cod_amount',
  pay_type: 'p.pay_type',
  declared_value: 'p.declared_value',
  courier_code: 'p.courier_code',
  settled_at: 'p.settled_at',
}

/** The validated query of the lists. */
type ParcelQuery = QueryOf<typeof listParcels>

/**
 * The list. Its figures count the rows by status code, with all filters except the status. People see their own parcels
 * only. Amounts are in `currency`.
 */
export function buildParcelList(query: ParcelQuery, person: Identity, currency: string): ListDeclaration {
  const where = new Where()
  if (!person.isAdmin) where.and('p.owner_id = ?', person.userId)
  const scopeCondition = where.toString()
  const { search, orderno } = query
  where
    .andEqual(exactColumns, query)
    .and('p.day >= ?', query.date_from)
    .and('p.day <= ?', query.date_to)
    .and(`${isUnsettledSql} and p.eventtime <= now() - make_interval(days => ?)`, query.unsettled_days)
  if ([orderno, search && cutSearch(search)].some((text) => text !== undefined && !isIndexed(text)))
    where.and(`p.id in (${newestParcelsSql(scopeCondition)})`)
  if (orderno !== undefined) where.and(buildOrderNumberSearch(where, orderno))
  if (search !== undefined) where.and(buildParcelSearch(where, search))
  if (query.problem !== undefined) where.and(problemFilter(where, query.problem, query.no_progress_days))
  const countedCondition = where.toString()
  const status = query.status && where.addParameter(query.status)
  if (status !== undefined) where.and(`p.status_code = ${status}`)
  const ofStatus =
    status === undefined ? 'select sum(n) from counts' : `select n from counts where status_code = ${status}`
  return {
    with: `counts as (
      select p.status_code, count(*) as n from parcels p where ${countedCondition} group by p.status_code
    )`,
    table: 'parcels',
    alias: 'p',
    item: { json: `json_build_object(${parcelJson(where.addParameter(currency))})` },
    where,
    ...(!person.isAdmin && { scopeCondition }),
    order: buildOrderBy({
      columns: sortable,
      sort: query.sort,
      defaultSort: '-date',
      tieBreaker: 'p.id',
      notNullKeys: ['orderno', 'date', 'status', 'eventtime'],
      textKeys: ['person', 'town', 'courier'],
    }),
    filtered: `coalesce((${ofStatus}), 0)::bigint`,
  }
}

/** SQL: the `meta` of a list of parcels with the number of its rows by status, 0 included. */
export const statusCountsSql = `(select json_build_object('status_counts',
  jsonb '${JSON.stringify(Object.fromEntries(parcelCodes.map((code) => [code, 0])))}' || coalesce(jsonb_object_agg(status_code, n), '{}')) from counts)`

/** SQL: the parcel `p` is delivered, and what the courier collected for it is in no settlement act. */
export const isUnsettledSql = `p.status_code = 'DELIVERED' and p.cod_amount > 0 and p.settled_at is null`

/** SQL: the parcel is not final and has no event for `days` days. */
function hasNoProgressSql(days: string): string {
  return `(p.status_code not in ('DELIVERED', 'RETURNED') and p.eventtime < now() - make_interval(days => ${days}))`
}

/** SQL: the problem of the parcel. Its own problem takes precedence over `no_progress`. */
function problemSql(days: string): string {
  return `coalesce(p.problem, case when ${hasNoProgressSql(days)} then 'no_progress' end)`
}

function problemFilter(where: Where, problem: string, days = defaultNoProgressDays): string {
  if (problem === 'any') return `(p.problem is not null or ${hasNoProgressSql(where.addParameter(days))})`
  return problem === 'no_progress'
    ? hasNoProgressSql(where.addParameter(days))
    : `p.problem = ${where.addParameter(problem)}`
}

/** Counts the parcels with problems by problem, as JSON text. $1 is the owner, null for all; $2 is the days for `no_progress`. */
const problemCountsSql = `
  with open as materialized (
    select p.problem, ${hasNoProgressSql('$2::int')} as no_progress from parcels p
    where p.problem is not null and ($1::bigint is null or p.owner_id = $1)
    union all
    select null, true from parcels p
    where p.problem is null and ${hasNoProgressSql('$2::int')} and ($1::bigint is null or p.owner_id = $1)
  )
  select json_build_object('any', count(*), ${parcelProblems
    .filter((problem) => problem !== 'no_progress')
    .map((problem) => `'${problem}', count(*) filter (where problem = '${problem}')`)
    .join(', ')}, 'no_progress', count(*) filter (where no_progress))::text as row from open`

/** Counts the parcels of an owner (null for all) with problems, as JSON text. */
export async function readProblemCounts(
  pool: pg.Pool,
  ownerId: number | null,
  days = defaultNoProgressDays,
): Promise<string> {
  const { rows } = await pool.query<{ row: string }>({
    name: 'parcel-problems',
    text: problemCountsSql,
    values: [ownerId, days],
  })
  return rows[0]?.row ?? '{}'
}

const newestParcelsSql = (scopeCondition: string) =>
  `select p.id from parcels p where ${scopeCondition} order by p.day desc, p.id desc limit ${maxParcelsScanned}`

/** A note for the wire, from the row `n` and its author `u`. */
export const noteJson = `json_build_object('id', n.id, 'text', n.text, 'user', json_build_object('id', u.id, 'name', u.name),
  'created_at', n.created_at)`

/** Locks a parcel, so that its notes can be counted. `ownerId` is its owner, null for any. Answers whether it exists. */
export async function lockParcel(trx: Db, id: number, ownerId: number | null): Promise<boolean> {
  const { rows } = await sql`select id from parcels
    where id = ${id} and (${ownerId}::bigint is null or owner_id = ${ownerId}) for no key update`.execute(trx)
  return rows.length > 0
}

/** True if a parcel exists. `ownerId` is its owner, null for any. */
export async function hasParcel(pool: pg.Pool, id: number, ownerId: number | null): Promise<boolean> {
  const text = 'select from parcels where id = $1 and ($2::bigint is null or owner_id = $2)'
  return (await pool.query(text, [id, ownerId])).rowCount !== 0
}

export const eventJson = `json_build_object('code', e.code, 'raw_code', e.raw_code, 'title', e.title, 'eventtime', e.eventtime)`

const historyLimit = `limit ${maxHistoryShown}`

/**
 * One parcel by id ($1) with its newest events and notes as JSON text; $2 is its owner, null for any; $3 is the currency
 * of its amounts.
 */
const parcelSql = `select json_build_object(${parcelJson('$3')}, 'history', (
    select coalesce(json_agg(${eventJson} order by ${newestEventFirst}), '[]') from (
      select * from parcel_events h where h.parcel_id = p.id order by ${newestEventFirst} ${historyLimit}) e
  ), 'history_total', (select count(*) from parcel_events e where e.parcel_id = p.id),
  'notes', (
    select coalesce(json_agg(${noteJson} order by n.id desc), '[]') from (
      select * from parcel_notes h where h.parcel_id = p.id order by h.id desc ${historyLimit}) n
      join users u on u.id = n.user_id
  ), 'notes_total', (select count(*) from parcel_notes n where n.parcel_id = p.id))::text as row
  from parcels p where p.id = $1 and ($2::bigint is null or p.owner_id = $2)`

/** Reads a parcel as JSON text; null if there is none. `ownerId` is its owner, null for any. */
export async function readParcel(
  pool: pg.Pool,
  id: number,
  { ownerId, currency }: { ownerId: number | null; currency: string },
): Promise<string | null> {
  const values = [id, ownerId, currency]
  const { rows } = await pool.query<{ row: string }>({ name: 'parcel', text: parcelSql, values })
  return rows[0]?.row ?? null
}
