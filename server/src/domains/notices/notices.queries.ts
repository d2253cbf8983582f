import { toLikePattern } from '../../resources/crud.queries.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { buildOrderBy, Where } from '../../resources/lists.where.ts'
import type { RowRange } from '../../platform/http/paging.ts'

const sortable = {
  id: 'n.id',
  created_at: 'n.created_at',
  kind: 'n.kind',
  status: 'n.status',
  attempts: 'n.attempts',
  next_at: 'n.next_at',
  sent_at: 'n.sent_at',
}

interface NoticeQuery {
  kind?: string
  status?: string
  user_id?: number
  unsure?: boolean
  start_date?: string
  end_date?: string
  search?: string
  sort?: string
}

/** A notice for the wire, from the row `n`. */
export const noticeJson = `json_build_object('id', n.id, 'kind', n.kind,
  'user', (select json_build_object('id', p.id, 'name', p.name) from users p where p.id = n.user_id),
  'text', n.text, 'status', n.status, 'attempts', n.attempts, 'last_error', n.last_error, 'unsure', n.unsure,
  'next_at', case when n.status = 'queued' then n.next_at end, 'sent_at', n.sent_at, 'created_at', n.created_at)`

/** The list of notices as one statement with one row. For all notices, one row for each. */
export function noticeListText(query: NoticeQuery, span: RowRange): Statement {
  const where = new Where()
  const search = query.search?.trim() || undefined
  where
    .and('n.kind = ?', query.kind)
    .and('n.status = ?', query.status)
    .and('n.user_id = ?', query.user_id)
    .and('n.unsure = ?', query.unsure)
    .and('n.created_at >= ?::date', query.start_date)
    .and('n.created_at < ?::date + 1', query.end_date)
    .and('n.text ilike ?', search && toLikePattern(search))
  const order = buildOrderBy(sortable, query.sort, '-id', 'n.id')
  const matching = where.toString()
  if (span === 'all') {
    const text = `select ${noticeJson}::text as item from notices n where ${matching} ${order}`
    return { text, values: where.values }
  }
  // The rows are counted directly: notices are kept for three months only, and a counter would slow their inserts.
  const text = `with page as (
      select ${noticeJson} as item from notices n where ${matching} ${order}
      limit ${where.addParameter(span.size)} offset ${where.addParameter(span.offset)}
    )
    select coalesce(json_agg(item), '[]')::text as items, count(*) as count,
      (select count(*) from notices n where ${matching}) as filtered,
      (select count(*) from notices) as total from page`
  return { text, values: where.values }
}
