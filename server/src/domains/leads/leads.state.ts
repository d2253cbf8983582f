import type { StateChange } from '@karvon/contract/leads/leads.ts'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import { invalid } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { restate, type LeadMoved } from './leads.restate.ts'
import { leadTransaction } from './leads.transaction.ts'

/**
 * Brings leads into the state that an admin says and answers how many were in another.
 * Errors: 422 for a status that is not there.
 */
export function changeStates(db: Db, change: StateChange, person: Identity): Promise<number> {
  const { ids, status_id, comment } = change
  const reason = comment?.trim() || undefined
  return leadTransaction(db, async (trx) => {
    const status = await trx
      .selectFrom('statuses')
      .select('id')
      .where('id', '=', status_id)
      .executeTakeFirst()
    if (status === undefined) throw invalid([{ field: 'status_id', message: 'Status does not exist.' }])
    const moved = await restate(
      trx,
      ids.map((id) => ({ id, status_id, at: null })),
      { origin: 'admin', ...(reason !== undefined && { reason }) },
    )
    if (moved.length > 0) {
      const before = { leads: byOldStatus(moved) }
      await audit(trx, person, 'update', 'leads', null, before, {
        leads: moved.map(({ id }) => id),
        status_id,
        comment: reason ?? null,
      })
    }
    return moved.length
  })
}

/** As many ids as one call may name, by the status that they had. */
function byOldStatus(moved: readonly LeadMoved[]) {
  const groups = Map.groupBy(moved, ({ old_status_id }) => old_status_id)
  return [...groups].map(([status_id, same]) => ({ status_id, ids: same.map(({ id }) => id) }))
}
