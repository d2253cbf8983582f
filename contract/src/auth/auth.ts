import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id } from '../lib/field.ts'
import { NullablePersonLanguage } from '../lib/language.ts'
import { maxCode, maxEmail, maxLine, maxPassword } from '../lib/limits.ts'
import { pageSchema } from '../lib/page.ts'
import { expectedUpdatedAt, listQuery } from '../lib/resource.ts'
import { minPasswordLength } from '../lib/password.ts'
import { Code, OwnerProof, proofFields } from '../lib/proof.ts'
import { DateTime, NullableText, visibleLine } from '../lib/schemas.ts'

/** The role code of administrators. */
export const adminCode = 'admin'

/** A person. `role` is the role's code. Some fields have two spellings, because clients use both. */
const person = {
  id: Type.Integer(),
  username: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.String(),
  extra_id: NullableText,
  isActive: Type.Boolean(),
  createdAt: DateTime,
  updatedAt: DateTime,
  is_active: Type.Boolean(),
  created_at: DateTime,
  updated_at: DateTime,
}

export const Person = Type.Object(person)
export type Person = Static<typeof Person>

/**
 * `recovery_codes_left` is 0 without a second factor. `second_factor_required`: this installation requires a second
 * factor of this person, so it cannot be turned off.
 */
export const Profile = Type.Object({
  ...person,
  language: NullablePersonLanguage,
  second_factor: Type.Boolean(),
  second_factor_required: Type.Boolean(),
  recovery_codes_left: Type.Integer(),
})
export type Profile = Static<typeof Profile>

/** `device` is a secret for the next sign-in; see {@link login}. */
export const LoginAnswer = Type.Object({
  access_token: Type.String(),
  token_type: Type.String(),
  device: Type.String(),
  ...person,
})
export type LoginAnswer = Static<typeof LoginAnswer>

/**
 * Accepts a multipart form, JSON, or an urlencoded form. A person with a second factor also sends its `code`. After a
 * correct password, a missing code is 401 `second_factor_required` and a wrong code is 401 `second_factor_wrong`.
 * `device` is the secret from the last sign-in. With it, failed attempts of other people do not delay this sign-in.
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
  summary: 'Read the signed-in person',
  method: 'GET',
  path: '/parcel/auth/me',
  guard: 'person',
  beforeSecondFactor: true,
  answer: Person,
})

export const logout = call({
  id: 'auth.logout',
  summary: 'Sign out',
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
  summary: 'Read your profile',
  method: 'GET',
  path: '/parcel/auth/profile',
  feature: 'profile',
  guard: 'person',
  beforeSecondFactor: true,
  answer: Profile,
})

/**
 * A new email needs the current password or a code of the second factor. A new password needs the current password, and
 * ends all other sessions of the person. `language`: of notices, mails and answers of the bot.
 */
export const putProfile = call({
  id: 'auth.profile.update',
  summary: 'Change your name, email, password or language',
  method: 'PUT',
  path: '/parcel/auth/profile',
  feature: 'profile',
  guard: 'person',
  beforeSecondFactor: true,
  body: Type.Object({
    name: Type.Optional(Type.String({ minLength: 1, maxLength: maxLine, pattern: visibleLine })),
    email: Type.Optional(Type.String({ minLength: 3, maxLength: maxEmail, pattern: '^[^\\s@]+@[^\\s@]+$' })),
    password: Type.Optional(Type.String({ minLength: minPasswordLength, maxLength: maxPassword })),
    language: Type.Optional(NullablePersonLanguage),
    ...proofFields,
    updated_at: expectedUpdatedAt,
  }),
  answer: Profile,
})

export const Session = Type.Object({
  id: Type.Integer(),
  current: Type.Boolean(),
  created_at: DateTime,
  last_used_at: DateTime,
  expires_at: DateTime,
  address: NullableText,
  user_agent: NullableText,
})
export type Session = Static<typeof Session>

/** The session that was used last comes first. `search` matches the address and the browser. */
export const sessions = call({
  id: 'auth.sessions',
  summary: 'List your sessions',
  method: 'GET',
  path: '/parcel/auth/sessions',
  feature: 'sessions',
  guard: 'person',
  query: listQuery(['id', 'created_at', 'last_used_at', 'expires_at', 'address'], {
    id: Id,
    created_at: DateTime,
    last_used_at: DateTime,
    expires_at: DateTime,
    address: Type.String({ maxLength: maxCode }),
  }),
  answer: pageSchema(Session),
})

export const endSessions = call({
  id: 'auth.sessions.end',
  summary: 'End all your sessions, including the current one',
  method: 'DELETE',
  path: '/parcel/auth/sessions',
  feature: 'sessions',
  guard: 'person',
  body: OwnerProof,
  answer: Type.Object({ ended: Type.Integer() }),
})

/** Ending the current session needs no password: it is a sign-out. */
export const endOwnSession = call({
  id: 'auth.session.end',
  summary: 'End one of your sessions',
  method: 'DELETE',
  path: '/parcel/auth/sessions/:id',
  feature: 'sessions',
  guard: 'person',
  params: Type.Object({ id: Id }),
  body: OwnerProof,
  answer: Type.Object({ id: Type.Integer() }),
})

export const authCalls = [login, me, logout, getProfile, putProfile, sessions, endSessions, endOwnSession]
