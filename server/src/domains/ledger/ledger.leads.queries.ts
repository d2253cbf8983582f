import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { WorkDelay } from '../../platform/jobs/jobs.ts'
import { lockStatusesShared } from '../leads/leads.status-lock.queries.ts'

/** A row of the queue: which leads the job posts, and how far it came. */
export interface QueuedPosting {
  id: number
  status_id: number | null
  stream_id: number | null
  next_created_at: string
  next_id: number
}

export const postingsWorkDelay: WorkDelay = sql`select 0 from lead_posting_queue limit 1`

export const readOldestPosting = (db: Db): Promise<QueuedPosting | undefined> =>
  db.selectFrom('lead_posting_queue').selectAll().orderBy('id').limit(1).executeTakeFirst()

/** The next leads of a queued posting, by creation time and id. */
export async function findQueuedLeads(
  trx: Db,
  posting: QueuedPosting,
  limit: number,
): Promise<{ id: number; created_at: string }[]> {
  const { status_id, stream_id, next_created_at, next_id } = posting
  const scope = sql.join(
    [
      ...(status_id === null ? [] : [sql`and status_id = ${status_id}`]),
      ...(stream_id === null ? [] : [sql`and stream_id = ${stream_id}`]),
    ],
    sql` `,
  )
  // The text keeps the microseconds, which a Date would lose.
  const { rows } = await sql<{ id: number; created_at: string }>`
    select id, created_at::text from leads
    where (created_at, id) > (${next_created_at}::timestamptz, ${next_id}) ${scope}
    order by created_at, id limit ${limit}`.execute(trx)
  return rows
}

/** Locks leads in the order in which `ingestLeads` does, and posts their entries. */
export async function postLeads(trx: Db, leadIds: readonly number[]): Promise<number> {
  await lockStatusesShared(trx)
  await sql`select id from leads where id = any(${leadIds}::bigint[])
    order by source_id, external_id for no key update`.execute(trx)
  const { rows } = await sql<{ posted: number }>`select post_leads(${leadIds}::bigint[]) as posted`.execute(
    trx,
  )
  return rows[0]?.posted ?? 0
}

export async function storePostingProgress(
  trx: Db,
  id: number,
  { created_at, id: leadId }: { created_at: string; id: number },
): Promise<void> {
  await trx
    .updateTable('lead_posting_queue')
    .set({ next_created_at: created_at, next_id: leadId })
    .where('id', '=', id)
    .execute()
}

export const removePosting = (trx: Db, id: number) =>
  trx.deleteFrom('lead_posting_queue').where('id', '=', id).execute()
