import type { sessions } from '@karvon/contract/auth/auth.ts'
import type { QueryOf } from '@karvon/contract/lib/call.ts'
import { isValidSessionSql } from '../../platform/security/identities.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'

interface SessionOwner {
  userId: number
  /** The session of the request. */
  sessionId: number
  /** Days until an unused session expires. */
  idleDays: number
}

const columns = {
  id: 's.id',
  created_at: 's.created_at',
  last_used_at: 's.last_used_at',
  expires_at: 's.expires_at',
  address: 's.address',
}

/** The valid sessions of a person. */
export function buildOwnSessionList(
  query: QueryOf<typeof sessions>,
  { userId, sessionId, idleDays }: SessionOwner,
): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  const where = new Where().and('s.user_id = ?', userId).and(isValidSessionSql('?'), idleDays)
  const scopeCondition = where.toString()
  where.andEqual(columns, query).and('(s.address ~* ? or s.user_agent ~* ?)', pattern, pattern)
  const item = `json_build_object('id', s.id, 'current', s.id = ${where.addParameter(sessionId)},
    'created_at', s.created_at, 'last_used_at', s.last_used_at, 'expires_at', s.expires_at,
    'address', s.address, 'user_agent', s.user_agent)`
  return {
    table: 'sessions',
    alias: 's',
    item: { json: item },
    where,
    scopeCondition,
    order: buildOrderBy({ columns, sort: query.sort, defaultSort: '-last_used_at', tieBreaker: 's.id' }),
  }
}
