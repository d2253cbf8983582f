import type { Deps } from '../../platform/deps.ts'
import { audit } from '../../platform/audit/audit.ts'
import { endSessions, waitForOtherProcesses } from '../../platform/security/identities.ts'
import { findPasswordProblem } from '../../platform/security/password-rules.ts'
import { normalizeUsername } from '../../platform/security/usernames.ts'
import { findAdminRole, insertAccount, updatePassword } from './auth.accounts.queries.ts'
import { clearAllAttempts } from './auth.limits.ts'
import { findPersonByUsername } from './auth.people.queries.ts'
import { readNewUsername } from './auth.usernames.ts'
import { disableSecondFactor } from './second-factor.queries.ts'

// An operator recovers accounts from a shell when nobody can sign in. The audit log names no person for these changes.

interface UsernameAndPassword {
  username: string
  password: string
}

/** Creates an active administrator. Throws an Error for a taken or unusable username and for a weak password. */
export async function createAdmin(
  { db, passwords }: Pick<Deps, 'db' | 'passwords'>,
  { username: typedUsername, password }: UsernameAndPassword,
): Promise<void> {
  refuseWeak(password, typedUsername)
  const password_hash = await passwords.hash(password)
  await db.transaction().execute(async (trx) => {
    const username = await readNewUsername(trx, typedUsername, 'Username')
    const role_id = await findAdminRole(trx)
    const person = { username, name: username, email: `${username}@karvon.invalid`, role_id }
    const id = await insertAccount(trx, { ...person, password_hash })
    if (id === null) throw new Error(`The username ${username} is taken, or looks like one that is`)
    await audit(trx, {
      person: null,
      action: 'create',
      resource: 'users',
      rowId: id,
      after: { ...person, password: '…' },
    })
  })
}

/**
 * Sets a new password of a person, ends their sessions in every process and clears their failed attempts. With
 * `secondFactorOff` it also removes the second factor. The username is compared as at a sign-in.
 * Throws an Error for an unknown username and for a weak password.
 */
export async function recoverAccount(
  { db, passwords }: Pick<Deps, 'db' | 'passwords'>,
  {
    username: typedUsername,
    password,
    secondFactorOff = false,
  }: UsernameAndPassword & { secondFactorOff?: boolean },
): Promise<void> {
  const person = await findPersonByUsername(db, normalizeUsername(typedUsername))
  if (person === undefined) throw createUnknownUsernameError(typedUsername)
  const { id, username, email } = person
  refuseWeak(password, username, email)
  const password_hash = await passwords.hash(password)
  await db.transaction().execute(async (trx) => {
    if (!(await updatePassword(trx, id, password_hash))) throw createUnknownUsernameError(username)
    await clearAllAttempts(trx, id, username)
    const isFactorRemoved = secondFactorOff && (await disableSecondFactor(trx, id))
    await endSessions(trx, id)
    const [oldFactor, newFactor] = isFactorRemoved
      ? [{ second_factor: true }, { second_factor: false }]
      : [{}, {}]
    const maskedPassword = { password: '…' }
    await audit(trx, {
      person: null,
      action: 'update',
      resource: 'users',
      rowId: id,
      before: { ...maskedPassword, ...oldFactor },
      after: { ...maskedPassword, ...newFactor },
    })
  })
  await waitForOtherProcesses(db)
}

const createUnknownUsernameError = (username: string) =>
  new Error(`There is nobody with the username ${username}`)

/** Applies the same rules as every other change of a password. */
function refuseWeak(password: string, ...ownTexts: string[]): void {
  const problem = findPasswordProblem(password, ...ownTexts)
  if (problem === null) return
  throw new Error(
    `${problem.message} Nothing was changed. Choose another one, or leave --stdin out to have one made.`,
  )
}
