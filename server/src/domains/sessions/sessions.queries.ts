import type { listSessions } from '@karvon/contract/sessions/sessions.ts'
import type { QueryOf } from '@karvon/contract/lib/call.ts'
import type { Db } from '../../platform/database/pool.ts'
import { isValidSessionSql } from '../../platform/security/identities.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'

type SessionsQuery = QueryOf<typeof listSessions>

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

/** The valid sessions. */
export function buildSessionList(query: SessionsQuery, viewer: SessionViewer): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  const searchConditions = ['u.username', 'u.name', 's.address', 's.user_agent'].map(
    (column) => `${column} ~* ?`,
  )
  const where = new Where().and(`u.is_active and ${isValidSessionSql('?')}`, viewer.idleDays)
  const scopeCondition = where.toString()
  where
    .andEqual({ ...columns, username: 'u.username' }, query)
    .and(`(${searchConditions.join(' or ')})`, ...searchConditions.map(() => pattern))
  const item = `json_build_object('id', s.id, 'user_id', s.user_id,
    'user', json_build_object('id', u.id, 'name', u.name), 'username', u.username,
    'created_at', s.created_at, 'last_used_at', s.last_used_at, 'expires_at', s.expires_at,
    'address', s.address, 'user_agent', s.user_agent, 'current', s.id = ${where.addParameter(viewer.sessionId)})`
  return {
    table: 'sessions',
    alias: 's',
    join: 'join users u on u.id = s.user_id',
    item: { json: item },
    where,
    scopeCondition,
    order: buildOrderBy({
      columns,
      sort: query.sort,
      defaultSort: '-last_used_at',
      tieBreaker: 's.id',
      notNullKeys: Object.keys(columns).filter((key) => key !== 'address'),
    }),
  }
}

/** Deletes a session and answers what it was; undefined if there is no such session. */
export const deleteSessionOfAnyone = (trx: Db, id: number) =>
  trx
    .deleteFrom('sessions')
    .using('users')
    .whereRef('users.id', '=', 'sessions.user_id')
    .where('sessions.id', '=', id)
    .returning(['user_id', 'username', 'address', 'user_agent'])
    .executeTakeFirst()

/**
 * Reads the name of a person and locks the row. The lock makes a concurrent sign-in finish before this statement, or
 * start after this transaction.
 */
export const lockUsername = (trx: Db, userId: number) =>
  trx.selectFrom('users').select('username').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst()
