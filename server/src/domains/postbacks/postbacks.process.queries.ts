import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { PostbackResult } from './postbacks.result.ts'

/** A stored lead that a postback reports again. */
export type ExistingLead = NonNullable<Awaited<ReturnType<typeof findLeadForUpdate>>>

/** Locks the row, so that values which the postback omits do not change before the ingest. */
export const findLeadForUpdate = (
  trx: Db,
  {
    sourceId,
    externalId,
    createdAt = null,
  }: { sourceId: number; externalId: string; createdAt?: string | null | undefined },
) =>
  trx
    .selectFrom('leads')
    .select([
      'id',
      'source_status',
      'status_id',
      'payout',
      'currency',
      'created_at',
      'updated_at',
      'stream_id',
      'comment',
      'subs',
      sql<boolean | null>`created_at = ${createdAt}::timestamptz`.as('has_same_created_at'),
    ])
    .where('source_id', '=', sourceId)
    .where('external_id', '=', externalId)
    .forUpdate()
    .executeTakeFirst()

/** Finds a stream of the source by our id, else by the network's id, else by name; the oldest of several. */
export async function findStreamId(trx: Db, sourceId: number, click: string): Promise<number | null> {
  const id = /^\d{1,15}$/.test(click) ? Number(click) : 0
  const { rows } = await sql<{ id: number }>`select id from streams
    where source_id = ${sourceId} and (id = ${id} or extra_id = ${click} or name = ${click})
    order by id = ${id} desc, extra_id = ${click} desc nulls last, id limit 1`.execute(trx)
  return rows[0]?.id ?? null
}

export const findPostbackForUpdate = (trx: Db, id: number) =>
  trx.selectFrom('postbacks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const findPostbackSource = (db: Db, id: number | null) =>
  db
    .selectFrom('cpa_sources')
    .select(['id', 'is_active', 'postback_key'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Stores the new result of a logged postback. */
export async function updateReplayedPostback(
  trx: Db,
  id: number,
  result: Omit<PostbackResult, 'error'>,
): Promise<void> {
  await trx
    .updateTable('postbacks')
    .set({ ...result, replayed_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}
