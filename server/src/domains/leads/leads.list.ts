import type pg from 'pg'
import type { ExportRows } from '../../platform/exports/exports.rows.ts'
import type { PageQuery } from '../../platform/http/paging.ts'
import type { RawJson } from '../../platform/http/raw-json.ts'
import { answerList } from '../../resources/lists.answer.ts'
import type { Viewer } from '../rollups/rollups.queries.ts'
import { buildLeadList, findColumnStatuses, type LeadQuery } from './leads.list.queries.ts'

/** Fetches a page of leads, or all for a file. `viewer` gets only own leads; null gets all. */
export async function fetchLeadList(
  pool: pg.Pool,
  query: LeadQuery & PageQuery & { format?: string },
  viewer: Viewer | null,
): Promise<RawJson | ExportRows> {
  const { search: searchText, ...rest } = query
  const search = searchText?.trim() || undefined
  const columnStatuses = query.column === undefined ? [] : await findColumnStatuses(pool, query.column)
  const selection = {
    query: { ...rest, ...(search !== undefined && { search }) },
    viewer,
    statuses: columnStatuses,
  }
  return answerList(pool, query, buildLeadList(selection))
}
