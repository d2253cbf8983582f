import { randomBytes } from 'node:crypto'
import type { Person, Profile, Session } from '@karvon/contract/auth/auth.ts'
import { maxSessionsShown } from '@karvon/contract/lib/limits.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { tokenHash } from '../../platform/security/identities.ts'
import { recoveryCodesLeft } from './second-factor.store.ts'

const people = (db: Db) =>
  db
    .selectFrom('users as u')
    .innerJoin('roles as r', 'r.id', 'u.role_id')
    .select(['u.id', 'u.username', 'u.email', 'u.name', 'r.code as role', 'u.extra_id', 'u.is_active'])
    .select(['u.created_at', 'u.updated_at', 'u.password_hash', 'u.second_factor'])

/** A person as the sign-in knows them. */
export type Found = Awaited<ReturnType<ReturnType<typeof people>['executeTakeFirstOrThrow']>>

/** A person by username, in whatever case it is typed. */
export const personByUsername = (db: Db, username: string): Promise<Found | undefined> =>
  people(db)
    .where((e) => e(e.fn<string>('lower', ['u.username']), '=', e.fn<string>('lower', [e.val(username)])))
    .executeTakeFirst()

export async function personById(db: Db, id: number): Promise<Found> {
  const found = await people(db).where('u.id', '=', id).executeTakeFirst()
  if (found === undefined) throw new AppError('unauthenticated', 'Sign in to go on.')
  return found
}

/** Both spellings, as the web accepts both. */
export function wirePerson(found: Found): Person {
  const { password_hash: _, second_factor: __, ...person } = found
  return { ...person, isActive: person.is_active, createdAt: person.created_at, updatedAt: person.updated_at }
}

/** A person as they see themselves. */
export async function profileOf(db: Db, { userId, secondFactorRequired }: Identity): Promise<Profile> {
  const found = await personById(db, userId)
  const { second_factor } = found
  return {
    ...wirePerson(found),
    second_factor,
    second_factor_required: secondFactorRequired,
    recovery_codes_left: second_factor ? await recoveryCodesLeft(db, userId) : 0,
  }
}

/** Where somebody signs in from. */
export interface From {
  address: string
  userAgent: string | undefined
}

/**
 * Starts a session and answers its token, which is nowhere else: the database keeps its hash. Null where
 * the person was deactivated, got another password or turned a second factor on since `found` was read: what ends
 * sessions locks the person's row, so none can slip in between. `proven`: with the code of a second factor.
 */
export async function startSession(
  db: Db,
  found: Found,
  days: number,
  from: From,
  proven = false,
): Promise<string | null> {
  const token = randomBytes(32).toString('base64url')
  const agent = from.userAgent?.slice(0, 300) ?? null
  const made = await sql`insert into sessions (user_id, token_hash, address, user_agent, expires_at)
    select u.id, ${tokenHash(token)}, ${from.address}, ${agent}, now() + make_interval(days => ${days}::int)
    from users u where u.id = ${found.id} and u.is_active and u.password_hash = ${found.password_hash}
      and (not u.second_factor or ${proven}::boolean)
    for share`.execute(db)
  return made.numAffectedRows === 1n ? token : null
}

/** Sessions that are still good, the last used first. */
export async function sessionsOf(
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
