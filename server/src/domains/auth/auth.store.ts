import { randomBytes } from 'node:crypto'
import type { Person, Profile, Session } from '@karvon/contract/auth/auth.ts'
import { maxSessionsShown } from '@karvon/contract/lib/limits.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { hashToken } from '../../platform/security/identities.ts'
import { countRecoveryCodes } from './second-factor.store.ts'

const selectPeople = (db: Db) =>
  db
    .selectFrom('users as u')
    .innerJoin('roles as r', 'r.id', 'u.role_id')
    .select(['u.id', 'u.username', 'u.email', 'u.name', 'r.code as role', 'u.extra_id', 'u.is_active'])
    .select(['u.created_at', 'u.updated_at', 'u.password_hash', 'u.second_factor'])

/** The row of a person, with the password hash and the state of the second factor. */
export type PersonRow = Awaited<ReturnType<ReturnType<typeof selectPeople>['executeTakeFirstOrThrow']>>

/** Finds a person by username. Upper and lower case are equal. */
export const personByUsername = (db: Db, username: string): Promise<PersonRow | undefined> =>
  selectPeople(db)
    .where((e) => e(e.fn<string>('lower', ['u.username']), '=', e.fn<string>('lower', [e.val(username)])))
    .executeTakeFirst()

export async function personById(db: Db, id: number): Promise<PersonRow> {
  const row = await selectPeople(db).where('u.id', '=', id).executeTakeFirst()
  if (row === undefined) throw new AppError('unauthenticated', 'Sign in to go on.')
  return row
}

/** The person for the wire, with both spellings of the fields that the web accepts. */
export function toPerson(row: PersonRow): Person {
  const { password_hash: _, second_factor: __, ...person } = row
  return { ...person, isActive: person.is_active, createdAt: person.created_at, updatedAt: person.updated_at }
}

/** A person's own profile. */
export async function readProfile(
  db: Db,
  { userId, isSecondFactorRequired: secondFactorRequired }: Identity,
): Promise<Profile> {
  const row = await personById(db, userId)
  const { second_factor } = row
  return {
    ...toPerson(row),
    second_factor,
    second_factor_required: secondFactorRequired,
    recovery_codes_left: second_factor ? await countRecoveryCodes(db, userId) : 0,
  }
}

/** The client of a sign-in. */
export interface SessionClient {
  address: string
  userAgent: string | undefined
}

interface NewSession {
  days: number
  client: SessionClient
  hasSecondFactorCode: boolean
}

/**
 * Starts a session and answers its token. The database stores only the hash of the token. Answers null if the person was
 * deactivated, got another password or turned a second factor on after `person` was read. Every call that ends sessions
 * locks the person's row, so this statement cannot run in between. `days` is the lifetime of the session.
 */
export async function startSession(
  db: Db,
  person: PersonRow,
  { days, client, hasSecondFactorCode }: NewSession,
): Promise<string | null> {
  const token = randomBytes(32).toString('base64url')
  const agent = client.userAgent?.slice(0, 300) ?? null
  const inserted = await sql`insert into sessions (user_id, token_hash, address, user_agent, expires_at)
    select u.id, ${hashToken(token)}, ${client.address}, ${agent}, now() + make_interval(days => ${days}::int)
    from users u where u.id = ${person.id} and u.is_active and u.password_hash = ${person.password_hash}
      and (not u.second_factor or ${hasSecondFactorCode}::boolean)
    for share`.execute(db)
  return inserted.numAffectedRows === 1n ? token : null
}

/** The valid sessions of a person, the last used one first. */
export async function readSessions(
  db: Db,
  userId: number,
  currentId: number,
  idleDays: number,
): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_used_at', 'expires_at', 'address', 'user_agent'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<string>`now()`)
    .where('last_used_at', '>', sql<string>`now() - make_interval(days => ${idleDays}::int)`)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxSessionsShown)
    .execute()
  return rows.map((row) => ({ ...row, current: row.id === currentId }))
}
