import type { AuditAction } from '@karvon/contract/audit/audit.ts'
import type { WithdrawalStatus } from '@karvon/contract/payouts/payouts.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/database/pool.ts'
import { readToday } from '../../platform/database/clock.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import type { RawJson } from '../../platform/http/raw-json.ts'
import { postLedgerEntries } from '../ledger/ledger.post.queries.ts'
import { readBalances } from './payouts.balance.ts'
import { markRefused, removeDetailsIfComplete } from './payouts.registries.queries.ts'
import {
  lockPerson,
  lockWithdrawal,
  readWithdrawal,
  storeDecision,
  type LockedWithdrawal,
} from './payouts.withdrawals.queries.ts'

export type WithdrawalDecision = {
  id: number
  /** Who decides. With `mustBeOwner`, it must be the person of the withdrawal. */
  userId: number
  mustBeOwner?: true
} & (
  | { action: 'approve' | 'cancel' | 'refuse' }
  | { action: 'decline'; reason: string | null }
  | { action: 'pay'; paidOn: string; reference: string | null }
)

const rules: Readonly<
  Record<WithdrawalDecision['action'], { from: readonly WithdrawalStatus[]; to: WithdrawalStatus }>
> = {
  approve: { from: ['requested'], to: 'approved' },
  cancel: { from: ['requested'], to: 'cancelled' },
  decline: { from: ['requested', 'approved'], to: 'declined' },
  pay: { from: ['approved', 'sent'], to: 'paid' },
  refuse: { from: ['sent'], to: 'approved' },
}

/**
 * Decides a withdrawal once. Errors: 404 for an unknown one, or another person's; 409 if it was decided before, and if
 * the balance became too small for an approval or a payment. A payment is posted to the ledger in the same transaction. The money
 * of a sent withdrawal has left, so its payment is recorded with any balance.
 */
export async function decideWithdrawal(trx: Db, decision: WithdrawalDecision): Promise<void> {
  const { id, userId, action, mustBeOwner } = decision
  const withdrawal = await lockWithdrawal(trx, id)
  if (withdrawal === undefined || (mustBeOwner && withdrawal.user_id !== userId)) throw notFound('withdrawal')
  const { status, registry_id: registryId } = withdrawal
  const { from, to } = rules[action]
  if (!from.includes(status)) throw new AppError('withdrawal_status', { status })
  // A payment moves an amount from the withdrawals to the ledger, and a request reads one after the other.
  if (action === 'approve' || action === 'pay') await lockPerson(trx, withdrawal.user_id)
  if (action === 'approve' || (action === 'pay' && status === 'approved'))
    await requireBalance(trx, withdrawal)
  await storeDecision(trx, id, {
    status: to,
    decidedBy: userId,
    ...(decision.action === 'decline' && { declineReason: decision.reason }),
    ...(decision.action === 'pay' && { paidOn: decision.paidOn, reference: decision.reference }),
    ...(action === 'refuse' && { registryId: null }),
  })
  if (action === 'pay') await postPayment(trx, withdrawal)
  if (registryId !== null) {
    if (action === 'refuse') await markRefused(trx, { registryId, withdrawalId: id })
    await removeDetailsIfComplete(trx, registryId)
  }
  await audit(trx, {
    person: { userId },
    action: action satisfies AuditAction,
    resource: 'withdrawals',
    rowId: id,
    before: { status, ...(action === 'refuse' && { registry_id: registryId }) },
    after: {
      status: to,
      ...(decision.action === 'decline' && { decline_reason: decision.reason }),
      ...(action === 'refuse' && { registry_id: null }),
    },
  })
}

/**
 * Throws where returned leads made the balance smaller than the open withdrawals, also if it is enough for this one. The
 * caller has locked the person.
 */
async function requireBalance(trx: Db, { user_id, currency, amount }: LockedWithdrawal): Promise<void> {
  const balances = await readBalances(trx, [user_id])
  const balance = balances.find((balanceRow) => balanceRow.currency === currency)
  if (balance !== undefined && balance.available >= 0) return
  // A sum of numbers with decimals is not exact.
  const openSum = balance?.requested ?? 0
  const available = Math.round(((balance?.available ?? 0) + openSum) * 100) / 100
  if (amount <= available)
    throw new AppError('withdrawals_over_balance', { requested: openSum, available, currency })
  throw new AppError('balance_insufficient', { available, currency })
}

const postPayment = (trx: Db, { id, user_id, currency, amount }: LockedWithdrawal) =>
  postLedgerEntries(trx, {
    causeType: 'withdrawal',
    causeIds: [id],
    targets: [
      { causeId: id, accountKind: 'person', refId: user_id, currency, amount },
      { causeId: id, accountKind: 'paid', refId: 0, currency, amount: -amount },
    ],
  })

/** Decides a withdrawal in a transaction, and answers it. */
export const decideAndAnswer = (db: Db, decision: WithdrawalDecision): Promise<RawJson> =>
  inTransactionStoringAnswer(db, async (trx) => {
    if (decision.action === 'pay' && decision.paidOn > (await readToday(trx)))
      throw new AppError('paid_in_future', {}, { fields: ['paid_on'] })
    await decideWithdrawal(trx, decision)
    return readWithdrawal(trx, decision.id)
  })
