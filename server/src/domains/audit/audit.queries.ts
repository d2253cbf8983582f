import { toLikePattern } from '../../resources/crud.queries.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { totalRowsSql } from '../../resources/lists.answer.ts'
import { buildOrderBy, Where } from '../../resources/lists.where.ts'
import type { RowRange } from '../../platform/http/paging.ts'

/** An entry for the wire, from the row `a`. */
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

/** The audit log as one statement with one row. For all entries, one row for each. */
export function auditListText(query: AuditQuery, span: RowRange): Statement {
  const search = query.search?.trim() || undefined
  const where = new Where()
    .and('a.user_id = ?', query.user_id)
    .and('a.action = ?', query.action)
    .and('a.resource = ?', query.resource)
    .and('a.row_id = ?', query.row_id)
    .and('a.at >= ?::date', query.start_date)
    .and('a.at < ?::date + 1', query.end_date)
    .and('a.user_id in (select id from users where username ilike ?)', search && toLikePattern(search))
  const order = buildOrderBy({ id: 'a.id', at: 'a.at' }, query.sort, '-at', 'a.id', ['at'])
  const matching = where.toString()
  if (span === 'all') {
    return {
      text: `select (${item})::text as item from audit_log a where ${matching} ${order}`,
      values: where.values,
    }
  }
  const text = `with page as materialized (
      select a.* from audit_log a where ${matching} ${order}
      limit ${where.addParameter(span.size)} offset ${where.addParameter(span.offset)}
    )
    select coalesce(json_agg(${item} ${order}), '[]')::text as items, count(*) as count,
      ${where.hasConditions ? `(select count(*) from audit_log a where ${matching})` : totalRowsSql('audit_log')} as filtered,
      ${totalRowsSql('audit_log')} as total from page a`
  return { text, values: where.values }
}
