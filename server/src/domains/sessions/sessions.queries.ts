import { toLikePattern } from '../../resources/crud.queries.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { buildOrderBy, Where } from '../../resources/lists.where.ts'
import type { RowRange } from '../../platform/http/paging.ts'

interface SessionsQuery {
  user_id?: number
  address?: string
  search?: string
  sort?: string
}

/** The session of the viewer, and the days until an unused session expires. */
interface SessionViewer {
  sessionId: number
  idleDays: number
}

const columns = {
  id: 's.id',
  user_id: 's.user_id',
  created_at: 's.created_at',
  last_used_at: 's.last_used_at',
  expires_at: 's.expires_at',
  address: 's.address',
}

const sessionsJoin = 'sessions s join users u on u.id = s.user_id'

/** The valid sessions as one statement with one row. For all sessions, one row for each. */
export function sessionsListText(query: SessionsQuery, viewer: SessionViewer, span: RowRange): Statement {
  const search = query.search?.trim() || undefined
  const pattern = search && toLikePattern(search)
  const searched = ['u.username', 'u.name', 's.address', 's.user_agent'].map((each) => `${each} ilike ?`)
  const where = new Where().and(
    'u.is_active and s.expires_at > now() and s.last_used_at > now() - make_interval(days => ?::int)',
    viewer.idleDays,
  )
  const valid = where.toString()
  where
    .and('s.user_id = ?', query.user_id)
    .and('s.address = ?', query.address)
    .and(`(${searched.join(' or ')})`, ...searched.map(() => pattern))
  const item = `json_build_object('id', s.id, 'user_id', s.user_id,
    'user', json_build_object('id', u.id, 'name', u.name), 'username', u.username,
    'created_at', s.created_at, 'last_used_at', s.last_used_at, 'expires_at', s.expires_at,
    'address', s.address, 'user_agent', s.user_agent, 'current', s.id = ${where.addParameter(viewer.sessionId)})`
  const known = Object.keys(columns).filter((key) => key !== 'address')
  const order = buildOrderBy(columns, query.sort, '-last_used_at', 's.id', known)
  const matching = where.toString()
  if (span === 'all') {
    return {
      text: `select (${item})::text as item from ${sessionsJoin} where ${matching} ${order}`,
      values: where.values,
    }
  }
  const text = `with page as (
      select ${item} as item, row_number() over (${order}) as place from ${sessionsJoin} where ${matching} ${order}
      limit ${where.addParameter(span.size)} offset ${where.addParameter(span.offset)}
    )
    select coalesce(json_agg(item order by place), '[]')::text as items, count(*) as count,
      (select count(*) from ${sessionsJoin} where ${matching}) as filtered,
      (select count(*) from ${sessionsJoin} where ${valid}) as total from page`
  return { text, values: where.values }
}
