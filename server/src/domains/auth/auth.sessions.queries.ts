import { randomBytes } from 'node:crypto'
import { maxSessions } from '@karvon/contract/lib/limits.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { cutAddress } from '../../platform/limits/address-key.ts'
import { hashToken } from '../../platform/security/identities.ts'
import type { PersonRow } from './auth.people.queries.ts'

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
 * locks the person's row, so this statement cannot run in between. `days` is the lifetime of the session. Of more than `maxSessions`
 * sessions of the person, those that were last used longest ago end.
 */
export async function startSession(
  db: Db,
  person: PersonRow,
  { days, client, hasSecondFactorCode }: NewSession,
): Promise<string | null> {
  const token = randomBytes(32).toString('base64url')
  const agent = client.userAgent?.slice(0, 300) ?? null
  const insertion = await sql`insert into sessions (user_id, token_hash, address, user_agent, expires_at)
    select u.id, ${hashToken(token)}, ${cutAddress(client.address)}, ${agent}, now() + make_interval(days => ${days}::int)
    from users u where u.id = ${person.id} and u.is_active and u.password_hash = ${person.password_hash}
      and (not u.second_factor or ${hasSecondFactorCode}::boolean)
    for share`.execute(db)
  if (insertion.numAffectedRows !== 1n) return null
  await sql`delete from sessions where id in (
    select id from sessions where user_id = ${person.id} order by last_used_at desc, id desc offset ${maxSessions}::integer)`.execute(
    db,
  )
  return token
}

export async function deleteSession(db: Db, id: number): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}

/** Deletes a session of a person; false if the person has no such session. */
export async function deleteOwnSession(db: Db, id: number, userId: number): Promise<boolean> {
  const deletion = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return deletion.numDeletedRows > 0n
}
