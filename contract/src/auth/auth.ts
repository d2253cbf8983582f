import { Type, type Static } from 'typebox'
import { call } from '../kit/call.ts'

const time = Type.String({ format: 'date-time' })
const nullableText = Type.Union([Type.String(), Type.Null()])

/** Characters that a person's own choice of a password has at least. */
export const shortestPassword = 8

/** The role code that runs the desk; any other is a regular person's. */
export const adminCode = 'admin'

/** A person as the session keeps them. `role` is the role's code. Both spellings, as the web accepts both. */
const person = {
  id: Type.Integer(),
  username: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.String(),
  extra_id: nullableText,
  isActive: Type.Boolean(),
  createdAt: time,
  updatedAt: time,
  is_active: Type.Boolean(),
  created_at: time,
  updated_at: time,
}

export const Person = Type.Object(person)
export type Person = Static<typeof Person>

export const LoginAnswer = Type.Object({ access_token: Type.String(), token_type: Type.String(), ...person })
export type LoginAnswer = Static<typeof LoginAnswer>

/** `username` and `password` as a multipart form; JSON and urlencoded bodies are taken as well. */
export const login = call({
  id: 'auth.login',
  summary: 'Sign in',
  method: 'POST',
  path: '/parcel/auth/login',
  guard: 'public',
  consumes: 'any',
  body: Type.Object({
    username: Type.String({ minLength: 1, maxLength: 100 }),
    password: Type.String({ minLength: 1, maxLength: 256 }),
  }),
  answer: LoginAnswer,
})

export const me = call({
  id: 'auth.me',
  summary: 'Who is signed in',
  method: 'GET',
  path: '/parcel/auth/me',
  guard: 'person',
  answer: Person,
})

export const logout = call({
  id: 'auth.logout',
  summary: 'End this session',
  method: 'POST',
  path: '/parcel/auth/logout',
  guard: 'person',
  answer: Type.Object({ signed_out: Type.Boolean() }),
})

export const getProfile = call({
  id: 'auth.profile',
  summary: 'Own profile',
  method: 'GET',
  path: '/parcel/auth/profile',
  guard: 'person',
  answer: Person,
})

/** A new password needs the current one, and ends every other session of its owner. */
export const putProfile = call({
  id: 'auth.profile.update',
  summary: 'Change own name, email or password',
  method: 'PUT',
  path: '/parcel/auth/profile',
  guard: 'person',
  body: Type.Object({
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    email: Type.Optional(Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' })),
    password: Type.Optional(Type.String({ minLength: shortestPassword, maxLength: 256 })),
    current_password: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  }),
  answer: Person,
})

export const Session = Type.Object({
  id: Type.Integer(),
  current: Type.Boolean(),
  created_at: time,
  last_used_at: time,
  expires_at: time,
  address: nullableText,
  user_agent: nullableText,
})
export type Session = Static<typeof Session>

export const sessions = call({
  id: 'auth.sessions',
  summary: 'Own signed-in sessions',
  method: 'GET',
  path: '/parcel/auth/sessions',
  guard: 'person',
  answer: Type.Object({ items: Type.Array(Session) }),
})

export const endSessions = call({
  id: 'auth.sessions.end',
  summary: 'Sign out everywhere, this session included',
  method: 'DELETE',
  path: '/parcel/auth/sessions',
  guard: 'person',
  answer: Type.Object({ ended: Type.Integer() }),
})

export const authCalls = [login, me, logout, getProfile, putProfile, sessions, endSessions]
