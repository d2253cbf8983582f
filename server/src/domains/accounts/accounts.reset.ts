import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import { touched } from '../../platform/database/conflict.ts'
import { endSessions, tokenHash } from '../../platform/security/identities.ts'
import { refuseWeakPassword } from '../../platform/security/password-rules.ts'
import { hashPassword } from '../../platform/security/passwords.ts'
import { inTransaction } from '../../platform/database/transaction.ts'

/** Notes that somebody asked; whether anybody has the address is looked up later, by nobody who could be timed. */
export async function noteAsked(db: Db, email: string): Promise<void> {
  await inTransaction(db, (trx) => trx.insertInto('reset_requests').values({ email }).execute())
}

interface Owner {
  id: number
  username: string
}

/**
 * Sets a new password by the token of a mailed link and ends all sessions of its owner, whom it answers; null
 * where the link is used, over or unknown, all alike. The change itself ends the owner's other links. Call `forget()`
 * of the identities after it. Errors: 422 of a password that its owner's name gives away; the link stays good.
 */
export async function useLink(db: Db, token: string, password: string): Promise<Owner | null> {
  const hash = tokenHash(token)
  const owner = await ownerOf(db, hash)
  if (owner === undefined) return null
  const password_hash = await hashPassword(password)
  return inTransaction(db, async (trx) => {
    // The person first: whoever comes with another link of theirs waits here, and then finds it gone.
    const person = await trx
      .selectFrom('users')
      .select(['id', 'username', 'email'])
      .where('id', '=', owner)
      .where('is_active', '=', true)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (person === undefined || (await ownerOf(trx, hash)) === undefined) return null
    refuseWeakPassword(password, person.username, person.email)
    const changed = { password_hash, updated_at: touched }
    await trx.updateTable('users').set(changed).where('id', '=', person.id).execute()
    await endSessions(trx, person.id)
    const secret = { password: '…' }
    await audit(trx, { userId: person.id }, 'update', 'profile', person.id, secret, { ...secret, by: 'mail' })
    return person
  })
}

/** Whose link it is, as long as it is good. */
async function ownerOf(db: Db, hash: Buffer): Promise<number | undefined> {
  const link = await db
    .selectFrom('reset_links')
    .select('user_id')
    .where('token_hash', '=', hash)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return link?.user_id
}
