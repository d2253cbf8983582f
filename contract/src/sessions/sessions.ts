import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { maxCode } from '../lib/limits.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'

const time = Type.String({ format: 'date-time' })
const nullableText = Type.Union([Type.String(), Type.Null()])

/** A valid session of a person. `current`: it is the session of the request. */
export const ActiveSession = Type.Object({
  id: Type.Integer(),
  user_id: Type.Integer(),
  user: Named,
  username: Type.String(),
  created_at: time,
  last_used_at: time,
  expires_at: time,
  address: nullableText,
  user_agent: nullableText,
  current: Type.Boolean(),
})
export type ActiveSession = Static<typeof ActiveSession>

/** `search` matches the username, the name, the address and the browser. */
export const listSessions = call({
  id: 'sessions.list',
  summary: 'List who is signed in',
  method: 'GET',
  path: '/api/admin/sessions/',
  feature: 'sessions',
  guard: 'admin',
  query: listQuery(['id', 'user_id', 'created_at', 'last_used_at', 'expires_at', 'address'], {
    user_id: Id,
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
  summary: 'End every session of a person',
  method: 'DELETE',
  path: '/api/admin/users/:id/sessions/',
  feature: 'sessions',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: Type.Object({ ended: Type.Integer() }),
})

export const sessionCalls = [listSessions, endSession, endSessionsOfPerson]
