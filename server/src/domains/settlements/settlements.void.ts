import { audit } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { emptyAct } from './settlements.store.ts'
import { lockAccount, readActKey, type ActKey, type NextLine } from './settlements.store.queries.ts'

/** Lines that one transaction removes. A person waits for the first one. */
const batchSize = 5000

/**
 * Voids an act that a file gave by mistake, or that the courier no longer lists: takes back its payment and its first lines, and
 * writes an audit entry with the reason. {@link finishVoid} removes the other lines of a large act. Errors: 404; 409 for an act
 * that the courier lists, and for a voided one.
 */
export async function voidAct(
  trx: Db,
  { id, reason, person }: { id: number; reason: string; person: Identity },
  limit = batchSize,
): Promise<void> {
  await lockAccount(trx, (await requireActKey(trx, id)).courier_account_id)
  const act = await requireActKey(trx, id)
  if (act.code !== null && act.unlisted_at === null) throw new AppError('act_of_courier')
  if (act.voided_at !== null) throw new AppError('act_voided')
  await emptyAct(trx, act, { after: undefined, limit })
  await audit(trx, {
    person,
    action: 'update',
    resource: 'settlement-acts',
    rowId: id,
    after: { voided: true, reason },
  })
}

/** Removes the other lines of a voided act until `signal` aborts. Stops at an act that an import has restored. */
export async function finishVoid(
  db: Db,
  { id, courier_account_id }: { id: number; courier_account_id: number },
  { signal, limit = batchSize }: { signal: AbortSignal; limit?: number },
): Promise<void> {
  let after: NextLine | undefined
  do {
    after = await inTransaction(db, async (trx) => {
      await lockAccount(trx, courier_account_id)
      const act = await requireActKey(trx, id)
      return act.voided_at === null ? undefined : emptyAct(trx, act, { after, limit })
    })
  } while (after !== undefined && !signal.aborted)
}

async function requireActKey(trx: Db, id: number): Promise<ActKey> {
  const key = await readActKey(trx, id)
  if (key === undefined) throw notFound('settlement act')
  return key
}
