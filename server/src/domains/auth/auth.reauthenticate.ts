import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import type { OwnerProof } from '@karvon/contract/lib/proof.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { invalid } from '../../platform/http/errors.ts'
import { getIdentity } from '../../platform/http/guard.ts'
import {
  clearCodeAttempts,
  clearPasswordAttempts,
  countCodeAttempt,
  countPasswordAttempt,
} from './auth.limits.ts'
import { getPersonById } from './auth.people.queries.ts'
import { lockSecondFactor, consumeCode } from './second-factor.queries.ts'

/**
 * Checks the password of the session's person, or a code of their second factor. A session alone must not be able to
 * change credentials. Attempts are limited.
 * Errors: 422 naming `current_password` or `code`, 429.
 */
export async function reauthenticate(
  deps: Pick<Deps, 'db' | 'pool' | 'encryption' | 'passwords'>,
  request: FastifyRequest,
  proof: OwnerProof,
): Promise<void> {
  const { userId } = getIdentity(request)
  const { current_password: current, code = '' } = proof
  if (current !== undefined) return reauthenticateByPassword(deps, request, current)
  if (code === '') throw invalid([fieldError('current_password', 'required', { label: 'Current password' })])
  await countCodeAttempt(deps.pool, userId)
  // This transaction must not store the answer of the Idempotency-Key: the change itself comes later.
  const isCorrect = await deps.db.transaction().execute(async (trx) => {
    if (!(await lockSecondFactor(trx, userId))) return false
    return consumeCode(trx, deps.encryption, { userId, code })
  })
  if (!isCorrect) refuseWrongCode(request)
  await clearCodeAttempts(deps.pool, userId)
}

/**
 * Checks the password of the session's person. Attempts are limited like those of the sign-in.
 * Errors: 422 naming `current_password`, 429.
 */
export async function reauthenticateByPassword(
  { db, pool, passwords }: Pick<Deps, 'db' | 'pool' | 'passwords'>,
  request: FastifyRequest,
  current: string,
): Promise<void> {
  const { userId, sessionId } = getIdentity(request)
  await countPasswordAttempt(pool, sessionId)
  const { password_hash: storedHash } = await getPersonById(db, userId)
  if (!(await passwords.verify(current, storedHash))) {
    logFailure(request)
    throw invalid([fieldError('current_password', 'current_password_wrong')])
  }
  await clearPasswordAttempts(pool, sessionId)
}

/** Writes a wrong code into the security log and refuses it. Errors: 422 naming `code`. */
export function refuseWrongCode(request: FastifyRequest): never {
  logFailure(request)
  throw invalid([fieldError('code', 'code_wrong')])
}

const logFailure = (request: FastifyRequest): void =>
  request.server.securityLog.write('reauthentication_failed', request.ip, {
    user_id: getIdentity(request).userId,
  })
