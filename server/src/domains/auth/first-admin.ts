import { randomBytes } from 'node:crypto'
import { adminCode } from '@karvon/contract/auth/auth.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { passwordWeakness } from '../../platform/security/password-rules.ts'
import { hashPassword } from '../../platform/security/passwords.ts'

// Any fixed number that nothing else on the database locks.
const lock = 7_315_011

/**
 * `made` is false where somebody is there already; `password` is given only where it was made up here. `weakness`: the
 * rule that the operator's password breaks. It works all the same: a desk that does not start helps nobody.
 */
export interface FirstAdmin {
  made: boolean
  username: string
  password: string | undefined
  weakness: string | null
}

/**
 * Makes the first admin where there is nobody yet. Processes that start at once wait for each other, so that
 * one makes it. Without a given password one is made up, to be shown once.
 */
export async function ensureFirstAdmin(
  db: Db,
  given: { username: string; password: string | undefined },
): Promise<FirstAdmin> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(trx)
    const anyone = await trx.selectFrom('users').select('id').limit(1).executeTakeFirst()
    if (anyone !== undefined)
      return { made: false, username: given.username, password: undefined, weakness: null }
    const password = given.password ?? randomBytes(12).toString('base64url')
    const role = await trx
      .selectFrom('roles')
      .select('id')
      .where('code', '=', adminCode)
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('users')
      .values({
        username: given.username,
        name: 'Administrator',
        // Nobody's domain: no mail of ours goes to a stranger.
        email: 'admin@karvon.invalid',
        password_hash: await hashPassword(password),
        role_id: role.id,
      })
      .execute()
    return {
      made: true,
      username: given.username,
      password: given.password === undefined ? password : undefined,
      weakness: given.password === undefined ? null : passwordWeakness(given.password, given.username),
    }
  })
}
