import type { OwnerProof } from '@karvon/contract/kit/proof.ts'
import type pg from 'pg'
import type { Db } from '../db/pool.ts'
import type { Deps } from '../kit/deps.ts'
import { invalid } from '../kit/errors.ts'
import type { Identity } from '../kit/guard.ts'
import { verifyPassword } from '../kit/passwords.ts'
import { forgetCodeTries, forgetProofs, takeCodeTry, takeProof } from './auth.limits.ts'
import { personById } from './auth.store.ts'
import { lockedSecondFactor, takeCode } from './second-factor.store.ts'

/**
 * Refuses whoever has nothing but the session: a change of somebody's credentials needs their password, or a code of their
 * second factor. Guesses are held back.
 * Errors: 422 naming `current_password` or `code`, 429.
 */
export async function proveOwner(
  deps: Pick<Deps, 'db' | 'pool' | 'seal'>,
  person: Identity,
  proof: OwnerProof,
): Promise<void> {
  const { current_password: current, code = '' } = proof
  if (current !== undefined) return provePassword(deps, person, current)
  if (code === '') throw invalid([{ field: 'current_password', message: 'Current password is required' }])
  await takeCodeTry(deps.pool, person.userId)
  // A transaction of its own, which no Idempotency-Key belongs to: the change itself comes later.
  const right = await deps.db.transaction().execute(async (trx) => {
    if (!(await lockedSecondFactor(trx, person.userId))) return false
    return takeCode(trx, deps.seal, person.userId, code)
  })
  if (!right) throw invalid([{ field: 'code', message: 'The code is not right, or it was used already.' }])
  await forgetCodeTries(deps.pool, person.userId)
}

/**
 * Lets somebody go on who knows the password of the session's person. Guessing it is held back as guessing it at
 * the sign-in is.
 * Errors: 422 naming `current_password`, 429.
 */
export async function provePassword(
  { db, pool }: { db: Db; pool: pg.Pool },
  person: Identity,
  current: string,
): Promise<void> {
  await takeProof(pool, person.sessionId)
  const { password_hash: stored } = await personById(db, person.userId)
  if (!(await verifyPassword(current, stored))) {
    throw invalid([{ field: 'current_password', message: 'The current password is not right.' }])
  }
  await forgetProofs(pool, person.sessionId)
}
