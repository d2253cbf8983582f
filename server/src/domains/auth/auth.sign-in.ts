import type { Deps } from '../../platform/deps.ts'
import { AppError } from '../../platform/http/errors.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import {
  clearCodeAttempts,
  refundSignInAttempt,
  countCodeAttempt,
  type SignInAttempt,
} from './auth.limits.ts'
import type { PersonRow } from './auth.people.queries.ts'
import { startSession, type SessionClient } from './auth.sessions.queries.ts'
import { lockSecondFactor, consumeCode } from './second-factor.queries.ts'

interface SignIn {
  person: PersonRow
  /** '' without a code. */
  code: string
  client: SessionClient
  attempt: SignInAttempt
}

/**
 * Completes the sign-in of an active person after a correct password, and answers the token of the new session; null as
 * in {@link startSession}. A person with a second factor needs its code.
 * Errors: 401 `second_factor_required` and `second_factor_wrong`, 429.
 */
export async function completeSignIn(
  deps: Deps,
  { person, code, client, attempt }: SignIn,
): Promise<string | null> {
  const { db, pool, config } = deps
  const days = config.session.absoluteDays
  if (!person.second_factor) return startSession(db, person, { days, client, hasSecondFactorCode: false })
  if (code === '') {
    await refundSignInAttempt(pool, attempt)
    throw new AppError('second_factor_required')
  }
  await countCodeAttempt(pool, person.id)
  const token = await startSessionWithCode(deps, { person, code, client })
  await clearCodeAttempts(pool, person.id)
  return token
}

/** Consumes the code and starts the session in one transaction. Errors: 401 `second_factor_wrong`. */
export const startSessionWithCode = (
  { db, encryption, config }: Deps,
  { person, code, client }: Omit<SignIn, 'attempt'>,
): Promise<string | null> =>
  inTransaction(db, async (trx) => {
    const isOn = await lockSecondFactor(trx, person.id)
    if (!isOn || !(await consumeCode(trx, encryption, { userId: person.id, code }))) {
      throw new AppError('second_factor_wrong')
    }
    const days = config.session.absoluteDays
    return startSession(trx, person, { days, client, hasSecondFactorCode: true })
  })
