import { textDimensions } from '@karvon/contract/lib/lead-texts.ts'
import type { listLeads } from '@karvon/contract/leads/leads.ts'
import type { QueryOf } from '@karvon/contract/lib/call.ts'
import type pg from 'pg'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { totalRowsSql, type ListDeclaration } from '../../resources/lists.queries.ts'
import { escapeLike, Where } from '../../resources/lists.where.ts'
import type { Viewer } from '../../platform/http/guard.ts'
import { leadCountSql, ownLeadCondition } from '../rollups/rollups.queries.ts'
import { hasStatusRecountSql } from '../rollups/rollups.recounts.queries.ts'
import { addLeadDays, addLeadFilters, type LeadFilters } from '../rollups/rollups.lead-filters.queries.ts'
import { leadSelectColumns } from './leads.queries.ts'

/** The validated query of the list. Id 0 finds leads without an offer, a stream, a status or a buyer. */
export type LeadQuery = QueryOf<typeof listLeads>

/** What one list of leads shows. `viewer` null is an admin, who sees all; `statuses` are those of the column in the query. */
export interface LeadSelection {
  query: LeadQuery
  viewer: Viewer | null
  statuses: readonly number[]
  /** Days, both inclusive, that contain the whole page. */
  pageDays?: { start: string; end: string }
}

const columnStatusesText = `select s.id from statuses s join status_types st on st.id = s.type_id
  where coalesce(st.code, 'none') = $1`

/** The statuses of a report column; for `none`, the statuses that are in no column. */
export async function findColumnStatuses(pool: pg.Pool, column: string): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(columnStatusesText, [column])
  return rows.map(({ id }) => id)
}

/** The sort orders, ascending and descending. Each one matches an index. */
const orders = {
  id: ['l.id', 'l.id desc'],
  created_at: ['l.created_at, l.id', 'l.created_at desc, l.id desc'],
  updated_at: ['l.updated_at, l.id', 'l.updated_at desc, l.id desc'],
  payout: ['l.payout, l.id', 'l.payout desc, l.id desc'],
  external_id: ['l.external_id using ~<~, l.source_id', 'l.external_id using ~>~, l.source_id desc'],
} as const

/** The exact filters that Explore does not have. */
const exactColumns = {
  id: 'l.id',
  external_id: 'l.external_id',
  created_at: 'l.created_at',
  updated_at: 'l.updated_at',
  payout: 'l.payout',
  currency: 'l.currency',
  is_status_overridden: 'l.is_status_overridden',
}

/** The query with its filter by a day as a period, which the indexes and the counts by day know. */
export function narrowToDay({ day, ...query }: LeadQuery): LeadQuery {
  if (day === undefined) return query
  const { start_date = day, end_date = day } = query
  return {
    ...query,
    start_date: start_date > day ? start_date : day,
    end_date: end_date < day ? end_date : day,
  }
}

function buildOrder({ search, sort }: LeadQuery, fromEnd = false): string {
  // A search matches the start of the external id; this order has the exact id first and uses the index.
  const sortKey = sort ?? (search === undefined ? '-created_at' : 'external_id')
  const key = sortKey.replace(/^-/, '') as keyof typeof orders
  return `order by ${orders[key][sortKey.startsWith('-') === fromEnd ? 0 : 1]}`
}

/** Parameters of a page, which do not change what matches. */
const uncountedNames: ReadonlySet<string> = new Set(['sort', 'page', 'per_page', 'limit', 'skip', 'format'])

/** Whether the list is in the order of the times of its leads, and so of their days. */
export const isSortedByTime = ({ search, sort }: LeadQuery): boolean =>
  sort === undefined ? search === undefined : sort === 'created_at' || sort === '-created_at'

/**
 * The filters that the rollups have. While leads move to the column of a new type, the rollups of a column differ from the types
 * of the statuses; see `buildLeadCounts`.
 */
const readRollupFilter = ({ source_id, offer_id, stream_id, start_date, end_date, column }: LeadQuery) => ({
  source_id,
  offer_id,
  stream_id,
  start_date,
  end_date,
  column,
})

/** Whether the rollups know the number of leads of a list. */
export function areCountedByRollups(query: LeadQuery): boolean {
  const rollupFilter = readRollupFilter(query)
  return Object.entries(query).every(
    ([name, value]) => value === undefined || uncountedNames.has(name) || Object.hasOwn(rollupFilter, name),
  )
}

const totalText = (where: Where, viewer: Viewer | null) =>
  viewer === null ? totalRowsSql('leads') : leadCountSql(where, {}, viewer)

/** The statement of the number of leads that the viewer can see. */
export function buildTotalCount(viewer: Viewer | null): Statement {
  const where = new Where()
  return { text: `select ${totalText(where, viewer)} as total`, values: where.values }
}

/** The number of leads that the viewer can see, and the number of those that match. */
function buildLeadCounts(selection: LeadSelection): Statement {
  const { query, viewer } = selection
  const where = new Where()
  const total = totalText(where, viewer)
  const rollupFilter = readRollupFilter(query)
  const filteredCountText = !areCountedByRollups(query)
    ? countText(where, selection)
    : query.column === undefined
      ? leadCountSql(where, rollupFilter, viewer)
      : // The list has the leads of the statuses that are in the column now, and so must its count.
        `case when ${hasStatusRecountSql} then ${countText(where, selection)}
        else ${leadCountSql(where, rollupFilter, viewer)} end`
  return { text: `select ${total} as total, ${filteredCountText} as filtered`, values: where.values }
}

function countText(where: Where, list: LeadSelection): string {
  const condition = buildFilters(list, where).toString()
  if (list.viewer === null) return `(select count(*) from leads l where ${condition})`
  return `(select coalesce(sum(n), 0)::bigint from (${ownStreamsText(where, list.viewer)}) s cross join lateral
    (select count(*) as n from leads l where l.stream_id = s.id and ${condition}) c)`
}

/**
 * The list of leads, newest first unless the query sorts or searches. PostgreSQL plans each query for its values, because
 * sources have 10 or millions of leads.
 */
export function buildLeadList(selection: LeadSelection): ListDeclaration {
  const { query, viewer } = selection
  const where = buildFilters(selection)
  const condition = where.toString()
  return {
    table: 'leads',
    alias: 'l',
    item: { columns: leadSelectColumns },
    where,
    order: buildOrder(query),
    reversedOrder: buildOrder(query, true),
    planning: 'values',
    counts: buildLeadCounts(selection),
    ...(viewer !== null && {
      selectPageIds: (parameters, { size, offset }, order) => {
        const limit = () => parameters.addParameter(size + offset)
        return `select l.id from (${ownStreamsText(parameters, viewer)}) s cross join lateral (
          ${streamLeadsText(condition, order, limit)}) l`
      },
    }),
  }
}

/**
 * The leads of one stream `s`. The streams of a viewer are read one by one, so that PostgreSQL reads no lead of
 * other people. If the index has the sort order, only the first leads are read; else all matching leads. `offset 0`
 * stops PostgreSQL from using the index of another order.
 */
function streamLeadsText(condition: string, order: string, limit: () => string): string {
  const leadsText = `select l.* from leads l where l.stream_id = s.id and ${condition}`
  const isIndexed = order.startsWith('order by l.created_at')
  return isIndexed ? `${leadsText} ${order} limit ${limit()}::bigint` : `${leadsText} offset 0`
}

const ownStreamsText = (where: Where, viewer: Viewer) =>
  `select id from streams where user_id = ${where.addParameter(viewer.userId)}`

function buildFilters({ query, viewer, statuses, pageDays }: LeadSelection, where = new Where()): Where {
  if (viewer !== null) where.and(ownLeadCondition(where, 'l', viewer))
  where
    .andEqual(exactColumns, query)
    .and('lower(l.source_status) = lower(?)', query.source_status)
    .and('l.external_id like ?', query.search && `${escapeLike(query.search)}%`)
  // The days of a page are among those of the query.
  addLeadDays(where, pageDays ?? { start: query.start_date, end: query.end_date })
  addLeadFilters(where, readLeadFilters(query))
  // The index of source statuses starts with the source.
  if (query.source_status !== undefined) where.and('l.source_id in (select id from cpa_sources)')
  if (query.column !== undefined) where.and(buildColumnCondition(where, query.column, statuses))
  return where
}

/**
 * The filters of a list as Explore has them; null if it does not have all. The statuses of a column are those that it has now.
 */
export function readCountFilters({ query, statuses }: LeadSelection): LeadFilters | null {
  const { column, status_id, source_status, search } = query
  if ((source_status ?? search) !== undefined) return null
  if (Object.keys(exactColumns).some((key) => query[key as keyof LeadQuery] !== undefined)) return null
  const filters = readLeadFilters(query)
  if (column === undefined) return filters
  const columnStatuses = column === 'none' ? [0, ...statuses] : statuses
  const status =
    status_id === undefined ? columnStatuses : columnStatuses.filter((id) => status_id.includes(id))
  // No lead has status -1, so that nothing matches.
  return { ...filters, status: status.length === 0 ? [-1] : status }
}

/** The filters that Explore has, too. They find the leads that a figure counts. */
function readLeadFilters(query: LeadQuery): LeadFilters {
  const { source_id, offer_id, stream_id, status_id, buyer_id, weekday, hour } = query
  const ids = { source: source_id, offer: offer_id, stream: stream_id, status: status_id, buyer: buyer_id }
  const withoutNames = new Set(query.without?.split(','))
  const texts = textDimensions.map((name) => {
    const values = [...(query[name] ?? []), ...(withoutNames.has(name) ? [''] : [])]
    return [name, values.length === 0 ? undefined : values] as const
  })
  const filters = { ...ids, weekday, hour, ...Object.fromEntries(texts) }
  return Object.fromEntries(Object.entries(filters).filter(([, values]) => values !== undefined))
}

function buildColumnCondition(where: Where, column: string, statuses: readonly number[]): string {
  const [firstStatus, ...otherStatuses] = statuses
  // PostgreSQL can read one status in the order of its index, but not several.
  const statusText =
    otherStatuses.length === 0
      ? where.addParameter(firstStatus ?? null)
      : `any(${where.addParameter(statuses)}::bigint[])`
  return column === 'none'
    ? `(l.status_id is null or l.status_id = ${statusText})`
    : `l.status_id = ${statusText}`
}
