import type { listAudit } from '@karvon/contract/audit/audit.ts'
import type { QueryOf } from '@karvon/contract/lib/call.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'

/** An entry for the wire, from the row `a`. */
const item = `json_build_object('id', a.id, 'at', a.at,
  'user', (select json_build_object('id', u.id, 'username', u.username) from users u where u.id = a.user_id),
  'action', a.action, 'resource', a.resource, 'row_id', a.row_id, 'old_values', a.old_values,
  'new_values', a.new_values)`

type AuditQuery = QueryOf<typeof listAudit>

/** The audit log. */
export function buildAuditList(query: AuditQuery): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  return {
    table: 'audit_log',
    alias: 'a',
    partitionKey: 'at',
    planning: 'constants',
    item: { json: item },
    where: new Where()
      .andEqual({ id: 'a.id', at: 'a.at' }, query)
      .and('a.user_id = ?', query.user_id)
      .and('a.action = ?', query.action)
      .and('a.resource = ?', query.resource)
      .and('a.row_id = ?', query.row_id)
      .andDays('a.at', query)
      .and('a.user_id in (select id from users where username ~* ?)', pattern),
    order: buildOrderBy({
      columns: { id: 'a.id', at: 'a.at' },
      sort: query.sort,
      defaultSort: '-at',
      tieBreaker: 'a.id',
      notNullKeys: ['at'],
    }),
  }
}
