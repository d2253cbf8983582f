import { adminCode } from '@karvon/contract/auth/auth.ts'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import { touched } from '../../platform/database/conflict.ts'
import { endSessions, othersForgot } from '../../platform/security/identities.ts'
import { passwordWeakness } from '../../platform/security/password-rules.ts'
import { hashPassword } from '../../platform/security/passwords.ts'
import { forgetAllTries } from './auth.limits.ts'
import { turnOff } from './second-factor.store.ts'

// What an operator does from a shell when nobody can sign in: no person's doing, and in the audit log as such.

/** Makes an active administrator. Throws an Error that says so where the username is taken or the password is weak. */
export async function createAdmin(db: Db, username: string, password: string): Promise<void> {
  refuseWeak(password, username)
  const password_hash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    const role = await trx
      .selectFrom('roles')
      .select('id')
      .where('code', '=', adminCode)
      .executeTakeFirstOrThrow()
    const person = { username, name: username, email: `${username}@karvon.invalid`, role_id: role.id }
    const made = await trx
      .insertInto('users')
      .values({ ...person, password_hash })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made === undefined) throw new Error(`The username ${username} is taken, or looks like one that is`)
    await audit(trx, null, 'create', 'users', made.id, null, { ...person, password: '…' })
  })
}

/**
 * Gives a person a new password, with `secondFactorOff` takes their second factor off too, ends their sessions in
 * every process and lets them try to sign in at once.
 * Throws an Error that says so where nobody has the username or the password is weak.
 */
export async function resetPassword(
  db: Db,
  username: string,
  password: string,
  secondFactorOff = false,
): Promise<void> {
  const found = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('username', '=', username)
    .executeTakeFirst()
  if (found === undefined) throw nobodyNamed(username)
  refuseWeak(password, username, found.email)
  const password_hash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    const person = await trx
      .updateTable('users')
      .set({ password_hash, updated_at: touched })
      .where('id', '=', found.id)
      .returning('id')
      .executeTakeFirst()
    if (person === undefined) throw nobodyNamed(username)
    await forgetAllTries(trx, person.id, username)
    const off = secondFactorOff && (await turnOff(trx, person.id))
    await endSessions(trx, person.id)
    const [old, fresh] = off ? [{ second_factor: true }, { second_factor: false }] : [{}, {}]
    const masked = { password: '…' }
    await audit(trx, null, 'update', 'users', person.id, { ...masked, ...old }, { ...masked, ...fresh })
  })
  await othersForgot(db)
}

const nobodyNamed = (username: string) => new Error(`There is nobody with the username ${username}`)

/** The same rules as wherever else a password is set. */
function refuseWeak(password: string, ...about: string[]): void {
  const weakness = passwordWeakness(password, ...about)
  if (weakness === null) return
  throw new Error(
    `The password ${weakness}. Nothing was changed. Choose another one, or leave --stdin out to have one made.`,
  )
}
