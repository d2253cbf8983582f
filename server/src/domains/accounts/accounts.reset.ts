import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import { audit } from '../../platform/audit/audit.ts'
import { endSessions, hashToken } from '../../platform/security/identities.ts'
import { refuseWeakPassword } from '../../platform/security/password-rules.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { updatePassword } from '../auth/auth.accounts.queries.ts'
import { findLinkOwner, insertResetRequest, lockActivePerson } from './accounts.reset.queries.ts'

/** Stores a request for a link. A job looks up the address later, so that the time of the answer reveals nothing. */
export async function saveResetRequest(db: Db, email: string): Promise<void> {
  await inTransaction(db, (trx) => insertResetRequest(trx, email))
}

interface AccountOwner {
  id: number
  username: string
}

/**
 * Sets a new password by the token of a mailed link and ends all sessions of the owner. Answers the owner; null if the
 * link is used, expired or unknown. A database trigger deletes the owner's other links. Call `invalidate()` of the
 * identities afterwards. Errors: 422 for a password that contains the owner's name; the link stays valid.
 */
export async function resetPasswordByLink(
  { db, passwords }: Pick<Deps, 'db' | 'passwords'>,
  token: string,
  password: string,
): Promise<AccountOwner | null> {
  const hash = hashToken(token)
  const owner = await findLinkOwner(db, hash)
  if (owner === undefined) return null
  const password_hash = await passwords.hash(password)
  return inTransaction(db, async (trx) => {
    // The row of the person is locked first: another request with a link of the same person waits, and then finds no link.
    const person = await lockActivePerson(trx, owner)
    if (person === undefined || (await findLinkOwner(trx, hash)) === undefined) return null
    refuseWeakPassword(password, person.username, person.email)
    await updatePassword(trx, person.id, password_hash)
    await endSessions(trx, person.id)
    const maskedPassword = { password: '…' }
    await audit(trx, {
      person: { userId: person.id },
      action: 'update',
      resource: 'profile',
      rowId: person.id,
      before: maskedPassword,
      after: { ...maskedPassword, by: 'mail' },
    })
    return person
  })
}
