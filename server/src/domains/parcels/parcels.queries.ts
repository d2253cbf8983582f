import { maxHistoryShown, maxNotes, maxParcelsScanned } from '@karvon/contract/lib/limits.ts'
import { stillAfterDays } from '@karvon/contract/parcels/parcels.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { toLikePattern } from '../../resources/crud.queries.ts'
import { totalRowsSql } from '../../resources/lists.answer.ts'
import { buildOrderBy, Where } from '../../resources/lists.where.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import type { RowRange } from '../../platform/http/paging.ts'

/** A parcel for the wire, from the row `p`. */
const parcelJson = `'id', p.id, 'orderno', p.orderno, 'barcode', p.barcode,
  'status', json_build_object('code', p.status_code, 'title', p.status_title, 'eventtime', p.eventtime),
  'date', p.day,
  'package', json_build_object('type_name', p.type_name, 'weight', p.weight, 'quantity', p.quantity,
    'service_name', p.service_name, 'delivery_price', p.delivery_price),
  'receiver', json_build_object('person', p.person, 'company', p.company, 'phone', p.phone,
    'address', p.address, 'town', p.town),
  'owner', (select json_build_object('id', u.id, 'name', u.name) from users u where u.id = p.owner_id),
  'problem', ${problemSql(String(stillAfterDays))}`

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
}

/** The validated query of the lists. */
interface ParcelQuery {
  date_from?: string
  date_to?: string
  orderno?: string
  status?: string
  owner_id?: number
  problem?: string
  still_days?: number
  search?: string
  sort?: string
}

/**
 * The list as one statement with one row. Its figures count the rows by status code, with all filters except the status.
 * For all rows, the statement gives one row for each item. People see their own parcels only.
 */
export function parcelListText(query: ParcelQuery, span: RowRange, person: Identity): Statement {
  const where = new Where()
  if (!person.isAdmin) where.and('p.owner_id = ?', person.userId)
  const visible = where.toString()
  const search = query.search?.trim() || undefined
  const orderno = query.orderno?.trim() || undefined
  where
    .and('p.day >= ?', query.date_from)
    .and('p.day <= ?', query.date_to)
    .and('p.owner_id = ?', query.owner_id)
    .and('p.orderno ilike ?', orderno && toLikePattern(orderno))
  if ([orderno, search].some((text) => text !== undefined && !isIndexed(text)))
    where.and(`p.id in (${newestParcelsText(visible)})`)
  if (search !== undefined) where.and(searchFilter(where.addParameter(toLikePattern(search))))
  if (query.problem !== undefined) where.and(problemFilter(where, query.problem, query.still_days))
  const counted = where.toString()
  where.and('p.status_code = ?', query.status)
  const matching = where.toString()
  const order = buildOrderBy(sortable, query.sort, '-date', 'p.id')
  if (span === 'all') {
    const text = `select json_build_object(${parcelJson})::text as item from parcels p where ${matching} ${order}`
    return { text, values: where.values }
  }
  const total = person.isAdmin ? totalRowsSql('parcels') : `(select count(*) from parcels p where ${visible})`
  const filtered =
    query.status === undefined
      ? `coalesce((select sum(n) from counts), 0)::bigint`
      : `coalesce((select n from counts where status_code = ${where.addParameter(query.status)}), 0)::bigint`
  const text = `with counts as (select p.status_code, count(*) as n from parcels p where ${counted} group by p.status_code),
    page as (
      select p.id from parcels p where ${matching} ${order}
      limit ${where.addParameter(span.size)} offset ${where.addParameter(span.offset)}
    ),
    filled as (select json_build_object(${parcelJson}) as item from page join parcels p using (id) ${order})
    select items, count, ${filtered} as filtered, ${total} as total,
      (select coalesce(json_object_agg(status_code, n), '{}') from counts) as figures
    from (select count(*) as count, coalesce(json_agg(item), '[]')::text as items from filled) i`
  return { text, values: where.values }
}

/** SQL: the parcel is not final and has no event for `days` days. */
function isStillSql(days: string): string {
  return `(p.status_code not in ('DELIVERED', 'RETURNED') and p.eventtime < now() - make_interval(days => ${days}))`
}

/** SQL: the problem of the parcel. Its own problem wins over `still`. */
function problemSql(days: string): string {
  return `coalesce(p.problem, case when ${isStillSql(days)} then 'still' end)`
}

function problemFilter(where: Where, problem: string, days = stillAfterDays): string {
  if (problem === 'any') return `(p.problem is not null or ${isStillSql(where.addParameter(days))})`
  return problem === 'still'
    ? isStillSql(where.addParameter(days))
    : `p.problem = ${where.addParameter(problem)}`
}

/** Counts the parcels with problems by problem, as JSON text. $1 is the owner, null for all; $2 is the days for `still`. */
export const problemCountsText = `
  with open as materialized (
    select p.problem, ${isStillSql('$2::int')} as still from parcels p
    where p.problem is not null and ($1::bigint is null or p.owner_id = $1)
    union all
    select null, true from parcels p
    where p.problem is null and ${isStillSql('$2::int')} and ($1::bigint is null or p.owner_id = $1)
  )
  select json_build_object('any', count(*), ${['refused', 'postponed', 'not_agreed', 'lost']
    .map((each) => `'${each}', count(*) filter (where problem = '${each}')`)
    .join(', ')}, 'still', count(*) filter (where still))::text as row from open`

/** True if a trigram index supports the search for a text. */
const isIndexed = (text: string) => /[\p{L}\p{N}]{3}/u.test(text)

const newestParcelsText = (visible: string) =>
  `select p.id from parcels p where ${visible} order by p.day desc, p.id desc limit ${maxParcelsScanned}`

const searchFilter = (pattern: string) =>
  `(${['orderno', 'barcode', 'person', 'phone', 'company', 'town'].map((key) => `p.${key} ilike ${pattern}`).join(' or ')})`

/** A note for the wire, from the row `n` and its author `u`. */
export const noteJson = `json_build_object('id', n.id, 'text', n.text, 'user', json_build_object('id', u.id, 'name', u.name),
  'created_at', n.created_at)`

/** Locks a parcel ($1) of the owner $2 (null for any), so that its notes can be counted. */
export const lockParcelText = `select id from parcels where id = $1 and ($2::bigint is null or owner_id = $2)
  for no key update`

/** Whether a parcel ($1) may have another note. A statement of its own: it must see what the lock waited for. */
export const noteRoomText = `select count(*) < ${maxNotes} as room from parcel_notes where parcel_id = $1`

/** Inserts a note ($2) of a person ($3) on a parcel ($1). Answers the note as JSON text. */
export const insertNoteText = `with n as (
    insert into parcel_notes (parcel_id, text, user_id) values ($1, $2, $3) returning *
  ) select ${noteJson}::text as row from n join users u on u.id = n.user_id`

export const eventJson = `json_build_object('code', e.code, 'raw_code', e.raw_code, 'title', e.title, 'eventtime', e.eventtime)`

const historyLimit = `limit ${maxHistoryShown}`

/** One parcel by id ($1) with its newest events and notes as JSON text; $2 is its owner, null for any. */
export const parcelText = `select json_build_object(${parcelJson}, 'history', (
    select coalesce(json_agg(${eventJson} order by e.eventtime desc, e.id desc), '[]') from (
      select * from parcel_events h where h.parcel_id = p.id order by h.eventtime desc, h.id desc ${historyLimit}) e
  ), 'history_total', (select count(*) from parcel_events e where e.parcel_id = p.id),
  'notes', (
    select coalesce(json_agg(${noteJson} order by n.id desc), '[]') from (
      select * from parcel_notes h where h.parcel_id = p.id order by h.id desc ${historyLimit}) n
      join users u on u.id = n.user_id
  ), 'notes_total', (select count(*) from parcel_notes n where n.parcel_id = p.id))::text as row
  from parcels p where p.id = $1 and ($2::bigint is null or p.owner_id = $2)`
