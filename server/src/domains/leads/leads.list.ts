import type { ExportRows } from '../../platform/exports/exports.rows.ts'
import { readPageRange } from '../../platform/http/paging.ts'
import type { RawJson } from '../../platform/http/raw-json.ts'
import { answerList } from '../../resources/lists.answer.ts'
import type { Viewer } from '../../platform/http/guard.ts'
import { countListByDay, findPageDays, type ListReader } from './leads.counts.ts'
import {
  buildLeadList,
  findColumnStatuses,
  narrowToDay,
  isSortedByTime,
  type LeadQuery,
  type LeadSelection,
} from './leads.list.queries.ts'

/** Fetches a page of leads, or all for a file. `viewer` gets only own leads; null gets all. */
export async function fetchLeadList(
  reader: ListReader,
  query: LeadQuery,
  viewer: Viewer | null,
): Promise<RawJson | ExportRows> {
  const { pool } = reader
  const columnStatuses = query.column === undefined ? [] : await findColumnStatuses(pool, query.column)
  const selection: LeadSelection = {
    query: narrowToDay(query),
    viewer,
    statuses: columnStatuses,
  }
  if (query.format !== undefined) return answerList(pool, query, buildLeadList(selection))
  const range = readPageRange(query)
  const dayCounts = await countListByDay(reader, selection, range)
  if (dayCounts === null) return answerList(pool, query, buildLeadList(selection))
  const { total, days } = dayCounts
  const filtered = days.reduce((sum, { leads }) => sum + leads, 0)
  const part = isSortedByTime(selection.query) ? findPageDays(days, range, selection.query) : null
  const list = buildLeadList(part === null ? selection : { ...selection, pageDays: part.days })
  return answerList(pool, query, { ...list, counts: { total, filtered, ...(part !== null && { part }) } })
}
