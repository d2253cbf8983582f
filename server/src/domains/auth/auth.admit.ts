import type { Deps } from '../../platform/deps.ts'
import { AppError } from '../../platform/http/errors.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { forgetCodeTries, giveSignInBack, takeCodeTry, type Trying } from './auth.limits.ts'
import { startSession, type Found, type From } from './auth.store.ts'
import { lockedSecondFactor, takeCode } from './second-factor.store.ts'

/**
 * Lets an active person in whose password is right, and answers their token; null as {@link startSession} has it.
 * Who has a second factor needs its code as well.
 * Errors: 401 `second_factor_required` and `second_factor_wrong`, 429.
 */
export async function admit(
  deps: Deps,
  found: Found,
  code: string,
  from: From,
  trying: Trying,
): Promise<string | null> {
  const { db, pool, config } = deps
  if (!found.second_factor) return startSession(db, found, config.session.absoluteDays, from)
  if (code === '') {
    await giveSignInBack(pool, trying)
    throw new AppError('second_factor_required', 'Send the code of your second factor as well.')
  }
  await takeCodeTry(pool, found.id)
  const token = await enter(deps, found, code, from)
  await forgetCodeTries(pool, found.id)
  return token
}

/** Takes the code and starts the session, both or neither. Errors: 401 `second_factor_wrong`. */
export const enter = (
  { db, seal, config }: Deps,
  found: Found,
  code: string,
  from: From,
): Promise<string | null> =>
  inTransaction(db, async (trx) => {
    const on = await lockedSecondFactor(trx, found.id)
    if (!on || !(await takeCode(trx, seal, found.id, code))) {
      throw new AppError('second_factor_wrong', 'The code is not right, or it was used already.')
    }
    return startSession(trx, found, config.session.absoluteDays, from, true)
  })
