import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** The file of an upload, its description and its person. */
export const readUploadToSend = (db: Db, id: number) =>
  db
    .selectFrom('uploads as u')
    .innerJoin('users as p', 'p.id', 'u.user_id')
    .select(['u.name', 'u.sha256', 'u.size', 'u.description', 'p.name as person', 'p.username'])
    .where('u.id', '=', id)
    .executeTakeFirstOrThrow()

export async function isSent(db: Db, id: number): Promise<boolean> {
  const row = await db.selectFrom('uploads').select('status').where('id', '=', id).executeTakeFirst()
  return row?.status === 'sent'
}

/** Makes an upload due for the job. */
export async function queueForJob(db: Db, id: number, reason: string): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ last_error: reason, next_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .where('attempts', '=', 0)
    .execute()
}
