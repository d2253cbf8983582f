import { nextUpdatedAt } from '../../platform/database/conflict.ts'
import type { Db } from '../../platform/database/pool.ts'

interface Activity {
  is_active: boolean
  waiting: boolean
}

/** Locks the row of a person, and reads whether the person is active or waits for it. */
export const lockActivity = (trx: Db, id: number): Promise<Activity | undefined> =>
  trx
    .selectFrom('users')
    .select(['is_active', 'waiting'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Activates or deactivates a person. A registered account keeps no network afterwards. */
export async function updateActivity(trx: Db, id: number, activity: Activity): Promise<void> {
  await trx
    .updateTable('users')
    .set({ ...activity, registered_from: null, updated_at: nextUpdatedAt })
    .where('id', '=', id)
    .execute()
}
