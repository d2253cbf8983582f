import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id } from '../lib/field.ts'
import { maxCode, maxEmail, maxLine, maxPassword, maxSessionsShown } from '../lib/limits.ts'
import { asRead } from '../lib/resource.ts'
import { shortestPassword } from '../lib/password.ts'
import { Code, OwnerProof, proofFields } from '../lib/proof.ts'

const time = Type.String({ format: 'date-time' })
const nullableText = Type.Union([Type.String(), Type.Null()])

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

/**
 * `recovery_codes_left` is 0 without a second factor. `second_factor_required`: this installation requires one of this
 * person, so it cannot be turned off.
 */
export const Profile = Type.Object({
  ...person,
  second_factor: Type.Boolean(),
  second_factor_required: Type.Boolean(),
  recovery_codes_left: Type.Integer(),
})
export type Profile = Static<typeof Profile>

/** `device` is a secret for the next sign-in, see {@link login}. */
export const LoginAnswer = Type.Object({
  access_token: Type.String(),
  token_type: Type.String(),
  device: Type.String(),
  ...person,
})
export type LoginAnswer = Static<typeof LoginAnswer>

/**
 * `username` and `password` as a multipart form; JSON and urlencoded bodies are taken as well. Who has a second
 * factor sends its `code` too: without it the answer is 401 `second_factor_required`, with a wrong one 401
 * `second_factor_wrong`, both after a right password alone. `device` is what the last sign-in answered here: wrong passwords
 * that others try do not hold back who sends it.
 */
export const login = call({
  id: 'auth.login',
  summary: 'Sign in',
  method: 'POST',
  path: '/parcel/auth/login',
  guard: 'public',
  consumes: 'any',
  body: Type.Object({
    username: Type.String({ minLength: 1, maxLength: maxCode }),
    password: Type.String({ minLength: 1, maxLength: maxPassword }),
    code: Type.Optional(Code),
    device: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  answer: LoginAnswer,
})

export const me = call({
  id: 'auth.me',
  summary: 'Who is signed in',
  method: 'GET',
  path: '/parcel/auth/me',
  guard: 'person',
  beforeSecondFactor: true,
  answer: Person,
})

export const logout = call({
  id: 'auth.logout',
  summary: 'End this session',
  method: 'POST',
  path: '/parcel/auth/logout',
  repeat: 'unkeyed',
  feature: 'sessions',
  guard: 'person',
  beforeSecondFactor: true,
  answer: Type.Object({ signed_out: Type.Boolean() }),
})

export const getProfile = call({
  id: 'auth.profile',
  summary: 'Own profile',
  method: 'GET',
  path: '/parcel/auth/profile',
  feature: 'profile',
  guard: 'person',
  beforeSecondFactor: true,
  answer: Profile,
})

/**
 * Another email needs the current password or a code of the second factor. A new password needs the current one, and
 * ends every other session of its owner.
 */
export const putProfile = call({
  id: 'auth.profile.update',
  summary: 'Change own name, email or password',
  method: 'PUT',
  path: '/parcel/auth/profile',
  feature: 'profile',
  guard: 'person',
  beforeSecondFactor: true,
  body: Type.Object({
    name: Type.Optional(Type.String({ minLength: 1, maxLength: maxLine })),
    email: Type.Optional(Type.String({ minLength: 3, maxLength: maxEmail, pattern: '^[^\\s@]+@[^\\s@]+$' })),
    password: Type.Optional(Type.String({ minLength: shortestPassword, maxLength: maxPassword })),
    ...proofFields,
    updated_at: asRead,
  }),
  answer: Profile,
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
  feature: 'sessions',
  guard: 'person',
  answer: Type.Object({ items: Type.Array(Session, { maxItems: maxSessionsShown }) }),
})

export const endSessions = call({
  id: 'auth.sessions.end',
  summary: 'Sign out everywhere, this session included',
  method: 'DELETE',
  path: '/parcel/auth/sessions',
  feature: 'sessions',
  guard: 'person',
  body: OwnerProof,
  answer: Type.Object({ ended: Type.Integer() }),
})

/** The session that asks for it needs no proof: it is a sign-out. */
export const endOwnSession = call({
  id: 'auth.session.end',
  summary: 'End one of your own sessions',
  method: 'DELETE',
  path: '/parcel/auth/sessions/:id',
  feature: 'sessions',
  guard: 'person',
  params: Type.Object({ id: Id }),
  body: OwnerProof,
  answer: Type.Object({ id: Type.Integer() }),
})

export const authCalls = [login, me, logout, getProfile, putProfile, sessions, endSessions, endOwnSession]
