import type pg from 'pg'
import type { Db } from '../../platform/database/pool.ts'
import type { PageRange } from '../../platform/http/paging.ts'
import { queryOneRow } from '../../resources/lists.answer.ts'
import { countLeadsByDay, type DayCount } from '../explore/explore.counts.ts'
import {
  areCountedByRollups,
  buildTotalCount,
  readCountFilters,
  isSortedByTime,
  type LeadQuery,
  type LeadSelection,
} from './leads.list.queries.ts'

/** What reads a list of leads. */
export interface ListReader {
  db: Db
  pool: pg.Pool
  /** Runs the count of days within the limits of questions of Explore. */
  runCount: <T>(count: () => Promise<T>) => Promise<T>
}

/** With fewer leads, PostgreSQL counts and skips the rows of the list faster. */
const minLeads = 50_000
const minSkipped = 10_000

/**
 * Counts the leads of a list by day, the oldest first, where this reads less than the list itself: for
 * filters that only leads have, and for pages far from the start. Null: the list is counted by its own
 * statement.
 */
export async function countListByDay(
  { db, pool, runCount }: ListReader,
  selection: LeadSelection,
  { offset }: PageRange,
): Promise<{ total: number; days: DayCount[] } | null> {
  const { query, viewer } = selection
  const filters = readCountFilters(selection)
  if (filters === null) return null
  if (areCountedByRollups(query) && !(isSortedByTime(query) && offset >= minSkipped)) return null
  const { total } = await queryOneRow<{ total: number }>(pool, buildTotalCount(viewer))
  if (total < minLeads) return null
  const { start_date: start, end_date: end } = query
  const days = await runCount(() => countLeadsByDay(db, { filters, start, end, viewer }))
  return { total, days }
}

/**
 * The days in which a page lies, the number of leads of the list on these days, and on the days before them.
 */
export function findPageDays(
  days: readonly DayCount[],
  { offset, size }: PageRange,
  { sort = '-created_at' }: LeadQuery,
): { days: { start: string; end: string }; rows: number; skipped: number } | null {
  const sortedDays = sort.startsWith('-') ? days.toReversed() : days
  let before = 0
  let part: { first: string; last: string; rows: number; skipped: number } | null = null
  for (const { day, leads } of sortedDays) {
    if (before >= offset + size) break
    if (before + leads > offset) {
      part ??= { first: day, last: day, rows: 0, skipped: before }
      part.last = day
      part.rows += leads
    }
    before += leads
  }
  if (part === null) return null
  const [start = part.first, end = part.last] = [part.first, part.last].toSorted()
  return { days: { start, end }, rows: part.rows, skipped: part.skipped }
}
