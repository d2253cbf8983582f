import type { OwnerProof } from '@karvon/contract/lib/proof.ts'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid } from '../../platform/http/errors.ts'
import { identityOf } from '../../platform/http/guard.ts'
import { verifyPassword } from '../../platform/security/passwords.ts'
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
  request: FastifyRequest,
  proof: OwnerProof,
): Promise<void> {
  const { userId } = identityOf(request)
  const { current_password: current, code = '' } = proof
  if (current !== undefined) return provePassword(deps, request, current)
  if (code === '') throw invalid([{ field: 'current_password', message: 'Current password is required' }])
  await takeCodeTry(deps.pool, userId)
  // A transaction of its own, which no Idempotency-Key belongs to: the change itself comes later.
  const right = await deps.db.transaction().execute(async (trx) => {
    if (!(await lockedSecondFactor(trx, userId))) return false
    return takeCode(trx, deps.seal, userId, code)
  })
  if (!right) refuseWrongCode(request)
  await forgetCodeTries(deps.pool, userId)
}

/**
 * Lets somebody go on who knows the password of the session's person. Guessing it is held back as guessing it at
 * the sign-in is.
 * Errors: 422 naming `current_password`, 429.
 */
export async function provePassword(
  { db, pool }: { db: Db; pool: pg.Pool },
  request: FastifyRequest,
  current: string,
): Promise<void> {
  const { userId, sessionId } = identityOf(request)
  await takeProof(pool, sessionId)
  const { password_hash: stored } = await personById(db, userId)
  if (!(await verifyPassword(current, stored))) {
    noteFailure(request)
    throw invalid([{ field: 'current_password', message: 'The current password is not right.' }])
  }
  await forgetProofs(pool, sessionId)
}

/** Writes a wrong code into the security log and refuses it. Errors: 422 naming `code`. */
export function refuseWrongCode(request: FastifyRequest): never {
  noteFailure(request)
  throw invalid([{ field: 'code', message: 'The code is not right, or it was used already.' }])
}

const noteFailure = (request: FastifyRequest): void =>
  request.server.securityLog.write('proof_failed', request.ip, { user_id: identityOf(request).userId })
