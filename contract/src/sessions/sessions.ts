import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { maxCode } from '../lib/limits.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, NullableText } from '../lib/schemas.ts'

/** A valid session of a person. `current`: it is the session of the request. */
export const ActiveSession = Type.Object({
  id: Type.Integer(),
  user_id: Type.Integer(),
  user: Named,
  username: Type.String(),
  created_at: DateTime,
  last_used_at: DateTime,
  expires_at: DateTime,
  address: NullableText,
  user_agent: NullableText,
  current: Type.Boolean(),
})
export type ActiveSession = Static<typeof ActiveSession>

/** `search` matches the username, the name, the address and the browser. */
export const listSessions = call({
  id: 'sessions.list',
  summary: 'List all sessions',
  method: 'GET',
  path: '/api/admin/sessions/',
  feature: 'sessions',
  guard: 'admin',
  query: listQuery(['id', 'user_id', 'created_at', 'last_used_at', 'expires_at', 'address'], {
    id: Id,
    user_id: Id,
    username: Type.String({ maxLength: maxCode }),
    created_at: DateTime,
    last_used_at: DateTime,
    expires_at: DateTime,
    address: Type.String({ maxLength: maxCode }),
  }),
  answer: pageSchema(ActiveSession),
})

export const endSession = call({
  id: 'sessions.end',
  summary: 'End one session',
  method: 'DELETE',
  path: '/api/admin/sessions/:id/',
  feature: 'sessions',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: Type.Object({ id: Type.Integer() }),
})

export const endSessionsOfPerson = call({
  id: 'users.sessions.end',
  summary: 'End all sessions of a person',
  method: 'DELETE',
  path: '/api/admin/users/:id/sessions/',
  feature: 'sessions',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: Type.Object({ ended: Type.Integer() }),
})

export const sessionCalls = [listSessions, endSession, endSessionsOfPerson]
