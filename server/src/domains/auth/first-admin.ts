import { randomBytes } from 'node:crypto'
import type { Deps } from '../../platform/deps.ts'
import { findPasswordProblem } from '../../platform/security/password-rules.ts'
import { findAdminRole, hasAnyUser, insertFirstAdmin, lockFirstAdmin } from './auth.accounts.queries.ts'
import { readNewUsername } from './auth.usernames.ts'

/**
 * `isCreated` is false if the database has users already. `password` is the generated password; undefined for
 * a given one. `brokenRule` is the message of the rule that the given password breaks; the weak password is
 * used, so that the product starts.
 */
export interface FirstAdmin {
  isCreated: boolean
  username: string
  password: string | undefined
  brokenRule: string | null
}

/**
 * Creates the first admin if the database has no users. A lock makes processes that start at the same time
 * wait, so that only one creates the admin. Without a given password, it generates one, which is shown once. Errors: those of
 * {@link readNewUsername}.
 */
export async function ensureFirstAdmin(
  { db, passwords }: Pick<Deps, 'db' | 'passwords'>,
  credentials: { username: string; password: string | undefined },
): Promise<FirstAdmin> {
  return db.transaction().execute(async (trx) => {
    await lockFirstAdmin(trx)
    if (await hasAnyUser(trx))
      return { isCreated: false, username: credentials.username, password: undefined, brokenRule: null }
    const username = await readNewUsername(trx, credentials.username, 'KARVON_ADMIN_USERNAME')
    const password = credentials.password ?? randomBytes(12).toString('base64url')
    await insertFirstAdmin(trx, {
      username,
      name: 'Administrator',
      // The domain .invalid has no owner, so no mail reaches a stranger.
      email: 'admin@karvon.invalid',
      role_id: await findAdminRole(trx),
      password_hash: await passwords.hash(password),
    })
    return {
      isCreated: true,
      username,
      password: credentials.password === undefined ? password : undefined,
      brokenRule:
        credentials.password === undefined
          ? null
          : (findPasswordProblem(credentials.password, username)?.message ?? null),
    }
  })
}
