import { maxOpenWithdrawals } from '@karvon/contract/lib/limits.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/database/pool.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Config } from '../../config.ts'
import type { Encryption } from '../../platform/security/encryption.ts'
import { readBalances } from './payouts.balance.ts'
import {
  insertWithdrawal,
  lockPerson,
  readMinimumWithdrawal,
  type WithdrawalRequest,
} from './payouts.withdrawals.queries.ts'

/** Stores a request if the available amount covers it, and returns its id. */
export async function createWithdrawal(
  trx: Db,
  { encryption, config }: { encryption: Encryption; config: Pick<Config, 'currency'> },
  request: WithdrawalRequest,
): Promise<number> {
  const { userId, currency, amount } = request
  await lockPerson(trx, userId)
  const balances = await readBalances(trx, [userId])
  const open = balances.reduce((sum, balanceRow) => sum + balanceRow.open, 0)
  if (open >= maxOpenWithdrawals) throw new AppError('too_many_open_withdrawals', { max: maxOpenWithdrawals })
  const balance = balances.find((balanceRow) => balanceRow.currency === currency)
  const available = Math.max(balance?.available ?? 0, 0)
  if (amount > available)
    throw new AppError('balance_insufficient', { available, currency }, { fields: ['amount'] })
  const minimum = currency === config.currency ? await readMinimumWithdrawal(trx, userId) : 0
  if (amount < minimum)
    throw new AppError('withdrawal_below_minimum', { minimum, currency }, { fields: ['amount'] })
  const id = await insertWithdrawal(trx, encryption, request)
  const after = { currency, amount }
  await audit(trx, { person: { userId }, action: 'create', resource: 'withdrawals', rowId: id, after })
  return id
}
