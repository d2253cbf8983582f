import { containing } from '../../resources/crud.queries.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { orderBy, Where } from '../../resources/lists.where.ts'
import type { Span } from '../../platform/http/paging.ts'

interface SessionsQuery {
  user_id?: number
  address?: string
  search?: string
  sort?: string
}

/** Who asks, and the days after which a session that nobody uses is over. */
interface Asking {
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

const sessions = 'sessions s join users u on u.id = s.user_id'

/** Sessions that are still good, as one statement: of one row for a page, of a row a session for all of them. */
export function sessionsListText(query: SessionsQuery, asking: Asking, span: Span): Statement {
  const search = query.search?.trim() || undefined
  const pattern = search && containing(search)
  const searched = ['u.username', 'u.name', 's.address', 's.user_agent'].map((each) => `${each} ilike ?`)
  const where = new Where().and(
    'u.is_active and s.expires_at > now() and s.last_used_at > now() - make_interval(days => ?::int)',
    asking.idleDays,
  )
  const good = where.toString()
  where
    .and('s.user_id = ?', query.user_id)
    .and('s.address = ?', query.address)
    .and(`(${searched.join(' or ')})`, ...searched.map(() => pattern))
  const item = `json_build_object('id', s.id, 'user_id', s.user_id,
    'user', json_build_object('id', u.id, 'name', u.name), 'username', u.username,
    'created_at', s.created_at, 'last_used_at', s.last_used_at, 'expires_at', s.expires_at,
    'address', s.address, 'user_agent', s.user_agent, 'current', s.id = ${where.value(asking.sessionId)})`
  const known = Object.keys(columns).filter((key) => key !== 'address')
  const order = orderBy(columns, query.sort, '-last_used_at', 's.id', known)
  const matching = where.toString()
  if (span === 'all') {
    return {
      text: `select (${item})::text as item from ${sessions} where ${matching} ${order}`,
      values: where.values,
    }
  }
  const text = `with page as (
      select ${item} as item, row_number() over (${order}) as place from ${sessions} where ${matching} ${order}
      limit ${where.value(span.size)} offset ${where.value(span.offset)}
    )
    select coalesce(json_agg(item order by place), '[]')::text as items, count(*) as count,
      (select count(*) from ${sessions} where ${matching}) as filtered,
      (select count(*) from ${sessions} where ${good}) as total from page`
  return { text, values: where.values }
}
