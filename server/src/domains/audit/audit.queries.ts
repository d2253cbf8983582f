import { containing } from '../../resources/crud.queries.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { allRows } from '../../resources/lists.answer.ts'
import { orderBy, Where } from '../../resources/lists.where.ts'
import type { Span } from '../../platform/http/paging.ts'

/** An entry as the wire answers it, from the row `a`. */
const item = `json_build_object('id', a.id, 'at', a.at,
  'user', (select json_build_object('id', u.id, 'username', u.username) from users u where u.id = a.user_id),
  'action', a.action, 'resource', a.resource, 'row_id', a.row_id, 'old_values', a.old_values,
  'new_values', a.new_values)`

interface AuditQuery {
  user_id?: number
  action?: string
  resource?: string
  row_id?: number
  start_date?: string
  end_date?: string
  search?: string
  sort?: string
}

/** The audit log as one statement: of one row for a page, of a row an entry for all of it. */
export function auditListText(query: AuditQuery, span: Span): Statement {
  const search = query.search?.trim() || undefined
  const where = new Where()
    .and('a.user_id = ?', query.user_id)
    .and('a.action = ?', query.action)
    .and('a.resource = ?', query.resource)
    .and('a.row_id = ?', query.row_id)
    .and('a.at >= ?::date', query.start_date)
    .and('a.at < ?::date + 1', query.end_date)
    .and('a.user_id in (select id from users where username ilike ?)', search && containing(search))
  const order = orderBy({ id: 'a.id', at: 'a.at' }, query.sort, '-at', 'a.id', ['at'])
  const matching = where.toString()
  if (span === 'all') {
    return {
      text: `select (${item})::text as item from audit_log a where ${matching} ${order}`,
      values: where.values,
    }
  }
  const text = `with page as materialized (
      select a.* from audit_log a where ${matching} ${order}
      limit ${where.value(span.size)} offset ${where.value(span.offset)}
    )
    select coalesce(json_agg(${item} ${order}), '[]')::text as items, count(*) as count,
      ${where.any ? `(select count(*) from audit_log a where ${matching})` : allRows('audit_log')} as filtered,
      ${allRows('audit_log')} as total from page a`
  return { text, values: where.values }
}
