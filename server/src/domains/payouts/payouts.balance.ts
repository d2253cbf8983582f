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
 * and as paid.
 */
export function readBalanceSnapshot(db: Db, userId: number): ReturnType<typeof readBalances> {
  return inSnapshot(db, (snapshot) => readBalances(snapshot, userId))
}

/** A person's balances, in a transaction that locked the person: they stay true until its end. */
export async function readBalances(db: Db, userId: number): Promise<(Balance & { open: number })[]> {
  const personBalances = await readPersonBalances(db, userId)
  const withdrawals = await sumWithdrawals(db, userId)
  const minimum = Number(await readMinimumWithdrawal(db, userId))
  return personBalances.map(({ currency, ...account }) => {
    const sums = withdrawals.find((withdrawal) => withdrawal.currency === currency)
    const [balance, hold] = [toHundredths(account.owed), toHundredths(account.on_hold)]
    const [requestedSum, paidSum] = [toHundredths(sums?.requested ?? '0'), toHundredths(sums?.paid ?? '0')]
    return {
      currency,
      earned: toAmount(balance + paidSum),
      on_hold: toAmount(hold),
      available: toAmount(balance - hold - requestedSum),
      requested: toAmount(requestedSum),
      paid: toAmount(paidSum),
      minimum,
      open: sums?.open ?? 0,
    }
  })
}
