import type pg from 'pg'
import { AllRows, type Statement } from '../../platform/exports/exports.rows.ts'
import { listAnswer, type ListRow } from '../../resources/lists.answer.ts'
import { pageAsked, type PageQuery } from '../../platform/http/paging.ts'
import type { RawJson } from '../../platform/http/raw-json.ts'
import type { Person } from '../rollups/rollups.queries.ts'
import {
  allLeadsText,
  leadCountsText,
  leadPageText,
  statusesText,
  type LeadList,
  type LeadQuery,
} from './leads.list.queries.ts'

/**
 * Leads for a checked query, newest first unless it sorts or searches; `person` sees own ones alone. Counted
 * first: a page is then read from the nearer end, and where nothing matches nothing is looked for.
 */
export async function listOfLeads(
  pool: pg.Pool,
  query: LeadQuery & PageQuery & { format?: string },
  person: Person | null,
): Promise<RawJson | AllRows> {
  const list = await prepared(pool, query, person)
  if (query.format !== undefined) return new AllRows(pool, allLeadsText(list))
  const asked = pageAsked(query)
  const { total, filtered } = await planned<Pick<ListRow, 'total' | 'filtered'>>(pool, leadCountsText(list))
  const size = Math.max(0, Math.min(asked.size, filtered - asked.offset))
  if (size === 0) return listAnswer(asked, { items: '[]', count: 0, total, filtered })
  const fromEnd = asked.offset > filtered / 2
  const offset = fromEnd ? filtered - asked.offset - size : asked.offset
  const page = leadPageText(list, { size, offset }, fromEnd)
  return listAnswer(asked, { ...(await planned<ListRow>(pool, page)), total, filtered })
}

async function prepared(pool: pg.Pool, query: LeadQuery, person: Person | null): Promise<LeadList> {
  const { search: typed, ...rest } = query
  const search = typed?.trim() || undefined
  const found =
    query.column === undefined ? [] : (await pool.query<{ id: number }>(statusesText, [query.column])).rows
  return {
    query: { ...rest, ...(search !== undefined && { search }) },
    person,
    statuses: found.map(({ id }) => id),
  }
}

/** Not prepared by name: each is planned for its own values, since one source has ten leads and another millions. */
async function planned<Row>(pool: pg.Pool, { text, values }: Statement): Promise<Row> {
  const { rows } = await pool.query<Row & object>(text, values)
  if (rows[0] === undefined) throw new Error(`One row was expected of ${text}`)
  return rows[0]
}
