import type { Deps } from '../kit/deps.ts'
import { AppError } from '../kit/errors.ts'
import { inTransaction } from '../kit/transaction.ts'
import { forgetCodeTries, giveSignInBack, takeCodeTry } from './auth.limits.ts'
import { startSession, type Found, type From } from './auth.store.ts'
import { lockedSecondFactor, takeCode } from './second-factor.store.ts'

/**
 * Lets somebody in whose password is right, and answers their token; null as {@link startSession} has it. Who has a
 * second factor needs its code as well.
 * Errors: 401 `second_factor_required` and `second_factor_wrong`, 429.
 */
export async function admit(
  { db, pool, seal, config }: Deps,
  found: Found,
  code: string,
  from: From,
): Promise<string | null> {
  const days = config.session.absoluteDays
  // An inactive person is refused below, like a wrong password.
  if (!found.second_factor || !found.is_active) return startSession(db, found, days, from)
  if (code === '') {
    await giveSignInBack(pool, found.username, from.address)
    throw new AppError('second_factor_required', 'Send the code of your second factor as well.')
  }
  await takeCodeTry(pool, found.id)
  const token = await inTransaction(db, async (trx) => {
    const on = await lockedSecondFactor(trx, found.id)
    if (!on || !(await takeCode(trx, seal, found.id, code))) {
      throw new AppError('second_factor_wrong', 'The code is not right, or it was used already.')
    }
    return startSession(trx, found, days, from, true)
  })
  await forgetCodeTries(pool, found.id)
  return token
}
