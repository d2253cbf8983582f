import type pg from 'pg'
import { ExportRows, type Statement } from '../../platform/exports/exports.rows.ts'
import { buildListAnswer, type ListRow } from '../../resources/lists.answer.ts'
import { readPageRange, type PageQuery } from '../../platform/http/paging.ts'
import type { RawJson } from '../../platform/http/raw-json.ts'
import type { Viewer } from '../rollups/rollups.queries.ts'
import {
  allLeadsText,
  leadCountsText,
  leadPageText,
  columnStatusesText,
  type LeadList,
  type LeadQuery,
} from './leads.list.queries.ts'

/**
 * Fetches a page of leads, newest first unless the query sorts or searches. `viewer` gets only own leads; null gets
 * all. It counts first: then it reads the page from the nearer end, and reads nothing if nothing matches.
 */
export async function fetchLeadList(
  pool: pg.Pool,
  query: LeadQuery & PageQuery & { format?: string },
  viewer: Viewer | null,
): Promise<RawJson | ExportRows> {
  const list = await prepareList(pool, query, viewer)
  if (query.format !== undefined) return new ExportRows(pool, allLeadsText(list))
  const range = readPageRange(query)
  const { total, filtered } = await queryOneRow<Pick<ListRow, 'total' | 'filtered'>>(
    pool,
    leadCountsText(list),
  )
  const size = Math.max(0, Math.min(range.size, filtered - range.offset))
  if (size === 0) return buildListAnswer(range, { items: '[]', count: 0, total, filtered })
  const fromEnd = range.offset > filtered / 2
  const offset = fromEnd ? filtered - range.offset - size : range.offset
  const page = leadPageText(list, { size, offset }, fromEnd)
  return buildListAnswer(range, { ...(await queryOneRow<ListRow>(pool, page)), total, filtered })
}

async function prepareList(pool: pg.Pool, query: LeadQuery, viewer: Viewer | null): Promise<LeadList> {
  const { search: searchText, ...rest } = query
  const search = searchText?.trim() || undefined
  const columnStatuses =
    query.column === undefined
      ? []
      : (await pool.query<{ id: number }>(columnStatusesText, [query.column])).rows
  return {
    query: { ...rest, ...(search !== undefined && { search }) },
    viewer,
    statuses: columnStatuses.map(({ id }) => id),
  }
}

/** Uses no named statement: PostgreSQL plans each query for its values, because sources have 10 or millions of leads. */
async function queryOneRow<Row>(pool: pg.Pool, { text, values }: Statement): Promise<Row> {
  const { rows } = await pool.query<Row & object>(text, values)
  if (rows[0] === undefined) throw new Error(`One row was expected of ${text}`)
  return rows[0]
}
