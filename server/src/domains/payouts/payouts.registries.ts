import type { BodyOf } from '@karvon/contract/lib/call.ts'
import { maxRegistryPayments } from '@karvon/contract/lib/limits.ts'
import type { createPaymentRegistry } from '@karvon/contract/payouts/payment-registries.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/database/pool.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Encryption } from '../../platform/security/encryption.ts'
import { readBalances } from './payouts.balance.ts'
import {
  insertRegistry,
  lockApproved,
  lockRegistries,
  type SendableWithdrawal,
} from './payouts.registries.queries.ts'

type Selection = BodyOf<typeof createPaymentRegistry>

/**
 * Stores a registry of approved withdrawals, which become sent, and returns its id. Errors: 409 if there is none to send, or if a
 * selected one cannot be sent.
 */
export async function createRegistry(
  trx: Db,
  encryption: Encryption,
  { selection, userId }: { selection: Selection; userId: number },
): Promise<number> {
  const { currency, withdrawal_ids: ids } = selection
  await lockRegistries(trx)
  const withdrawals = await selectSendable(trx, selection)
  const sendableIds = new Set(withdrawals.map(({ id }) => id))
  const missingId = ids?.find((id) => !sendableIds.has(id))
  if (missingId !== undefined) throw new AppError('withdrawal_not_sendable', { id: missingId, currency })
  if (withdrawals.length === 0) throw new AppError('no_withdrawals_to_send', { currency })
  const id = await insertRegistry(trx, encryption, { currency, createdBy: userId, withdrawals })
  await audit(trx, {
    person: { userId },
    action: 'create',
    resource: 'payment-registries',
    rowId: id,
    after: { currency, payments: withdrawals.length },
  })
  return id
}

/** Locks the oldest selected withdrawals whose people have the money for them. */
async function selectSendable(trx: Db, selection: Selection): Promise<SendableWithdrawal[]> {
  const sendable: SendableWithdrawal[] = []
  for (let afterId: number | undefined = 0; afterId !== undefined;) {
    const batch = await lockApproved(trx, selection, afterId)
    const payableIds = await findPayablePeople(trx, batch, selection.currency)
    sendable.push(...batch.filter(({ user_id }) => payableIds.has(user_id)))
    const isLast = batch.length < maxRegistryPayments || sendable.length >= maxRegistryPayments
    afterId = isLast ? undefined : batch.at(-1)?.id
  }
  return sendable.slice(0, maxRegistryPayments)
}

/** The people whose open withdrawals are not more than their money. */
async function findPayablePeople(
  trx: Db,
  withdrawals: readonly SendableWithdrawal[],
  currency: string,
): Promise<Set<number>> {
  const balances = await readBalances(trx, [...new Set(withdrawals.map(({ user_id }) => user_id))])
  const sufficientBalances = balances.filter(
    (balance) => balance.currency === currency && balance.available >= 0,
  )
  return new Set(sufficientBalances.map(({ user_id }) => user_id))
}
