import type pg from 'pg'
import type { Db } from '../db/pool.ts'
import { invalid } from '../kit/errors.ts'
import type { Identity } from '../kit/guard.ts'
import { verifyPassword } from '../kit/passwords.ts'
import { clearTries, takeSignIn } from './auth.limits.ts'
import { personById } from './auth.store.ts'

/**
 * Lets somebody go on who knows the password of the session's person. Guessing it is held back as guessing it at
 * the sign-in is.
 * Errors: 422 naming `current_password`, 429.
 */
export async function provePassword(
  { db, pool }: { db: Db; pool: pg.Pool },
  person: Identity,
  current: string,
  address: string,
): Promise<void> {
  await takeSignIn(pool, person.username, address)
  const { password_hash: stored } = await personById(db, person.userId)
  if (!(await verifyPassword(current, stored))) {
    throw invalid([{ field: 'current_password', message: 'The current password is not right.' }])
  }
  await clearTries(pool, person.username, address)
}
