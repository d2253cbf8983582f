import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

export const findLeadAndTemplate = (db: Db, id: number) =>
  db
    .selectFrom('outgoing_postbacks')
    .select(['lead_id', 'template_id'])
    .where('id', '=', id)
    .executeTakeFirst()

/**
 * Locks the postback `id` of a lead and template, and the newer ones, and answers them by id. The lock is in one order, so
 * that two concurrent retries see each other.
 */
export const lockPostbacksFrom = (
  trx: Db,
  id: number,
  { lead_id, template_id }: { lead_id: number; template_id: number },
) =>
  trx
    .selectFrom('outgoing_postbacks')
    .select(['id', 'status', 'attempts'])
    .where('lead_id', '=', lead_id)
    .where('template_id', '=', template_id)
    .where('id', '>=', id)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Queues a postback for now and resets its attempts. */
export async function queuePostbackAgain(trx: Db, id: number): Promise<void> {
  await trx
    .updateTable('outgoing_postbacks')
    .set({ status: 'queued', attempts: 0, next_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}
