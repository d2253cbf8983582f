import type { Balance } from '@karvon/contract/payouts/payouts.ts'
import type { Db } from '../../platform/database/pool.ts'
import { inSnapshot } from '../../platform/database/snapshot.ts'
import { readPersonBalances } from '../ledger/ledger.balance.queries.ts'
import { readMinimumWithdrawal, sumWithdrawals } from './payouts.withdrawals.queries.ts'

// Money is counted in hundredths, which are whole numbers of any size: sums of numbers with decimals are not exact.
const toHundredths = (amount: string): bigint => BigInt(amount.replace('.', ''))
const toAmount = (hundredths: bigint): number => Number(hundredths) / 100

/**
 * A person's balances in one snapshot. Without it, a payment between two statements would count as money that is still there
 * and as paid. `mainCurrency` is that of the minimum.
 */
export function readBalanceSnapshot(
  db: Db,
  { userId, mainCurrency }: { userId: number; mainCurrency: string },
): Promise<Balance[]> {
  return inSnapshot(db, async (snapshot) => {
    const balances = await readBalances(snapshot, [userId])
    const minimum = await readMinimumWithdrawal(snapshot, userId)
    return balances.map(({ open: _open, user_id: _userId, ...balance }) => ({
      ...balance,
      minimum: balance.currency === mainCurrency ? minimum : 0,
    }))
  })
}

/**
 * The balances of people, in a transaction that locked them: they stay true until its end. `open`: the number of open
 * withdrawals.
 */
export async function readBalances(
  db: Db,
  userIds: readonly number[],
): Promise<(Omit<Balance, 'minimum'> & { user_id: number; open: number })[]> {
  const personBalances = await readPersonBalances(db, userIds)
  const withdrawals = await sumWithdrawals(db, userIds)
  const sumsByKey = new Map(withdrawals.map((sums) => [toKey(sums), sums]))
  return personBalances.map((account) => {
    const sums = sumsByKey.get(toKey(account))
    const [balance, hold] = [toHundredths(account.owed), toHundredths(account.on_hold)]
    const [requestedSum, paidSum] = [toHundredths(sums?.requested ?? '0'), toHundredths(sums?.paid ?? '0')]
    return {
      user_id: account.user_id,
      currency: account.currency,
      earned: toAmount(balance + paidSum),
      on_hold: toAmount(hold),
      available: toAmount(balance - hold - requestedSum),
      requested: toAmount(requestedSum),
      paid: toAmount(paidSum),
      open: sums?.open ?? 0,
    }
  })
}

const toKey = ({ user_id, currency }: { user_id: number; currency: string }) => `${user_id} ${currency}`
