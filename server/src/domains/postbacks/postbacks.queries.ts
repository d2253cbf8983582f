import { allRows } from '../../resources/lists.answer.ts'
import { Where } from '../../resources/lists.where.ts'
import type { Span } from '../../platform/http/paging.ts'

/** What the list's query may hold, already checked. */
interface PostbackQuery {
  source_id?: number
  outcome?: string
  reason?: string
  external_id?: string
  start_date?: string
  end_date?: string
  search?: string
  sort?: string
}

/** A hit as the wire answers it, from the row `p`. */
const columns = `p.id, p.at, p.source_id,
  (select json_build_object('id', s.id, 'name', s.name) from cpa_sources s where s.id = p.source_id) as source,
  p.method, p.address, p.params, p.external_id, p.word, p.outcome, p.reason, p.detail, p.lead_id, p.replayed_at`

/** The log as one statement: of one row for a page, of a row an item for an export. */
export function postbackListText(query: PostbackQuery, span: Span): { text: string; values: unknown[] } {
  const search = query.search?.trim() || undefined
  const where = new Where()
    .and('p.source_id = ?', query.source_id)
    .and('p.outcome = ?', query.outcome)
    .and('p.reason = ?', query.reason)
    .and('p.external_id = ?', query.external_id)
    .and('p.external_id ^@ ?', search)
    .and('p.at >= ?::date::timestamptz', query.start_date)
    .and('p.at < (?::date + 1)::timestamptz', query.end_date)
  const matching = where.toString()
  const order = orderBy(query.sort)
  if (span === 'all') {
    const text = `select row_to_json(j)::text as item from (select ${columns} from postbacks p where ${matching} ${order}) j`
    return { text, values: where.values }
  }
  const filtered = where.any ? `(select count(*) from postbacks p where ${matching})` : 'total'
  const text = `with page as (
      select p.id from postbacks p where ${matching} ${order}
      limit ${where.value(span.size)} offset ${where.value(span.offset)}
    ), filled as (select ${columns} from page join postbacks p using (id) ${order})
    select items, count, total, ${filtered} as filtered
    from (select count(*) as count, coalesce(json_agg(row_to_json(filled)), '[]')::text as items from filled) i,
      (select ${allRows('postbacks')} as total) t`
  return { text, values: where.values }
}

/** No column of these is ever null, and without `nulls last` they are read from their indexes. */
function orderBy(sort = '-at'): string {
  const way = sort.startsWith('-') ? 'desc' : 'asc'
  return sort.endsWith('at') ? `order by p.at ${way}, p.id ${way}` : `order by p.id ${way}`
}

/** One hit by id ($1) as JSON text. */
export const postbackText = `select row_to_json(j)::text as row from (select ${columns} from postbacks p where p.id = $1) j`
