import { adminCode } from '@karvon/contract/auth/auth.ts'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import { nextUpdatedAt } from '../../platform/database/conflict.ts'
import { endSessions, waitForOtherProcesses } from '../../platform/security/identities.ts'
import { passwordWeakness } from '../../platform/security/password-rules.ts'
import { hashPassword } from '../../platform/security/passwords.ts'
import { clearAllAttempts } from './auth.limits.ts'
import { disableSecondFactor } from './second-factor.store.ts'

// An operator recovers accounts from a shell when nobody can sign in. The audit log names no person for these changes.

/** Creates an active administrator. Throws an Error for a taken username and for a weak password. */
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
    const created = await trx
      .insertInto('users')
      .values({ ...person, password_hash })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (created === undefined) throw new Error(`The username ${username} is taken, or looks like one that is`)
    await audit(trx, {
      person: null,
      action: 'create',
      resource: 'users',
      rowId: created.id,
      after: { ...person, password: '…' },
    })
  })
}

/**
 * Sets a new password of a person, ends their sessions in every process and clears their failed attempts. With
 * `secondFactorOff` it also removes the second factor.
 * Throws an Error for an unknown username and for a weak password.
 */
export async function recoverAccount(
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
  if (found === undefined) throw unknownUsernameError(username)
  refuseWeak(password, username, found.email)
  const password_hash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    const person = await trx
      .updateTable('users')
      .set({ password_hash, updated_at: nextUpdatedAt })
      .where('id', '=', found.id)
      .returning('id')
      .executeTakeFirst()
    if (person === undefined) throw unknownUsernameError(username)
    await clearAllAttempts(trx, person.id, username)
    const off = secondFactorOff && (await disableSecondFactor(trx, person.id))
    await endSessions(trx, person.id)
    const [old, fresh] = off ? [{ second_factor: true }, { second_factor: false }] : [{}, {}]
    const masked = { password: '…' }
    await audit(trx, {
      person: null,
      action: 'update',
      resource: 'users',
      rowId: person.id,
      before: { ...masked, ...old },
      after: { ...masked, ...fresh },
    })
  })
  await waitForOtherProcesses(db)
}

const unknownUsernameError = (username: string) => new Error(`There is nobody with the username ${username}`)

/** Applies the same rules as every other change of a password. */
function refuseWeak(password: string, ...about: string[]): void {
  const weakness = passwordWeakness(password, ...about)
  if (weakness === null) return
  throw new Error(
    `The password ${weakness}. Nothing was changed. Choose another one, or leave --stdin out to have one made.`,
  )
}
