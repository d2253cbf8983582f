import { nextUpdatedAt } from '../../platform/database/conflict.ts'
import type { Db } from '../../platform/database/pool.ts'

/** Updates `updated_at` of roles. */
export async function touchRoles(trx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await trx.updateTable('roles').set({ updated_at: nextUpdatedAt }).where('id', 'in', ids).execute()
}
