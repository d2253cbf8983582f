import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { WorkDelay } from '../../platform/jobs/jobs.ts'

/** An upload that waits for a scan. */
export interface WaitingUpload {
  id: number
  user_id: number
  name: string
  extension: string
  sha256: string
  infected_with: string | null
}

/** The upload that waits for a scan longest and is due. */
export const findNextWaiting = (db: Db): Promise<WaitingUpload | undefined> =>
  db
    .selectFrom('uploads')
    .select(['id', 'user_id', 'name', 'extension', 'sha256', 'infected_with'])
    .where('status', '=', 'scanning')
    .where('next_at', '<=', sql<string>`now()`)
    .orderBy('next_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** Until an upload that waits for a scan is due. */
export const scanWorkDelay: WorkDelay = sql`
  select extract(epoch from next_at - now()) * 1000 from uploads where status = 'scanning' order by next_at limit 1`

/** The signature that an earlier scan found in the same file. That file may be removed already. */
export async function findKnownInfection(db: Db, sha256: string): Promise<string | null> {
  const row = await db
    .selectFrom('uploads')
    .select('infected_with')
    .where('sha256', '=', sha256)
    .where('infected_with', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row?.infected_with ?? null
}

/** Queues an upload for sending after its scan. */
export async function queueScannedUpload(db: Db, id: number): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ status: 'queued', last_error: null, next_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'scanning')
    .execute()
}

/** Marks every upload of a file. */
export async function markInfected(db: Db, sha256: string, signature: string): Promise<void> {
  await db.updateTable('uploads').set({ infected_with: signature }).where('sha256', '=', sha256).execute()
}

/** Refuses every upload of a file that was not sent, and returns those uploads. */
export const refuseUnsentUploads = (
  db: Db,
  sha256: string,
  reason: string,
): Promise<{ id: number; user_id: number; name: string }[]> =>
  db
    .updateTable('uploads')
    .set({ status: 'refused', last_error: reason })
    .where('sha256', '=', sha256)
    .where('status', '<>', 'sent')
    .returning(['id', 'user_id', 'name'])
    .execute()

/** Stores why an upload was not scanned. It is scanned again after `wait` seconds. */
export async function recordScanFailure(
  db: Db,
  id: number,
  { reason, wait }: { reason: string; wait: number },
): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ last_error: reason, next_at: sql`now() + make_interval(secs => ${wait})` })
    .where('id', '=', id)
    .where('status', '=', 'scanning')
    .execute()
}
