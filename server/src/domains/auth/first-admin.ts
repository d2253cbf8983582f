import { randomBytes } from 'node:crypto'
import { adminCode } from '@karvon/contract/auth/auth.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { passwordWeakness } from '../../platform/security/password-rules.ts'
import { hashPassword } from '../../platform/security/passwords.ts'

// Key of an advisory lock; any number that no other lock uses.
const firstAdminLockKey = 7_315_011

/**
 * `isCreated` is false if the database has users already. `password` is the generated password; undefined for a given
 * one. `weakness` is the rule that the given password breaks; the weak password is used, so that the product starts.
 */
export interface FirstAdmin {
  isCreated: boolean
  username: string
  password: string | undefined
  weakness: string | null
}

/**
 * Creates the first admin if the database has no users. A lock makes processes that start at the same time wait, so that
 * only one creates the admin. Without a given password, it generates one, which is shown once.
 */
export async function ensureFirstAdmin(
  db: Db,
  credentials: { username: string; password: string | undefined },
): Promise<FirstAdmin> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${firstAdminLockKey})`.execute(trx)
    const existing = await trx.selectFrom('users').select('id').limit(1).executeTakeFirst()
    if (existing !== undefined)
      return { isCreated: false, username: credentials.username, password: undefined, weakness: null }
    const password = credentials.password ?? randomBytes(12).toString('base64url')
    const role = await trx
      .selectFrom('roles')
      .select('id')
      .where('code', '=', adminCode)
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('users')
      .values({
        username: credentials.username,
        name: 'Administrator',
        // The domain .invalid belongs to nobody, so no mail reaches a stranger.
        email: 'admin@karvon.invalid',
        password_hash: await hashPassword(password),
        role_id: role.id,
      })
      .execute()
    return {
      isCreated: true,
      username: credentials.username,
      password: credentials.password === undefined ? password : undefined,
      weakness:
        credentials.password === undefined
          ? null
          : passwordWeakness(credentials.password, credentials.username),
    }
  })
}
