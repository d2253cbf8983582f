import { audit } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/database/pool.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { createEmptyAct, storeAct } from './settlements.store.ts'
import { lockAccount, readActKey, type ActKey } from './settlements.store.queries.ts'

/**
 * Voids an act that a file gave by mistake: stores it without lines, sums and payment, which takes its money back, and writes
 * an audit entry with the reason. Errors: 404; 409 for an act of the courier and for a voided one.
 */
export async function voidAct(
  trx: Db,
  { id, reason, person }: { id: number; reason: string; person: Identity },
): Promise<void> {
  await lockAccount(trx, (await requireActKey(trx, id)).courier_account_id)
  const {
    courier_account_id: accountId,
    currency,
    code,
    number,
    act_date,
    voided_at,
  } = await requireActKey(trx, id)
  if (code !== null) throw new AppError('act_of_courier')
  if (voided_at !== null) throw new AppError('act_voided')
  await storeAct(trx, { accountId, currency }, createEmptyAct({ origin: 'admin', number, act_date }))
  await audit(trx, {
    person,
    action: 'update',
    resource: 'settlement-acts',
    rowId: id,
    after: { voided: true, reason },
  })
}

async function requireActKey(trx: Db, id: number): Promise<ActKey> {
  const key = await readActKey(trx, id)
  if (key === undefined) throw notFound('settlement act')
  return key
}
