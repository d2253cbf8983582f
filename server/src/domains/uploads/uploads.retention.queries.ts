import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** Schedules the removal of a new file in an hour. The removal is skipped if an upload needs the file by then. */
export async function scheduleFileRemoval(db: Db, sha256: string): Promise<void> {
  await sql`
    insert into file_removals as r (sha256, due_at) values (${sha256}, now() + interval '1 hour')
    on conflict (sha256) do update set due_at = greatest(r.due_at, excluded.due_at)`.execute(db)
}

/**
 * Marks at most `limit` old uploads that were sent or refused, and answers how many. A trigger schedules the removal of
 * their files.
 */
export async function markOldUploads(db: Db, days: number, limit: number): Promise<number> {
  const { rows } = await sql`
    update uploads set file_removed_at = now()
    where file_removed_at is null and status in ('sent', 'refused') and id in (
      select id from uploads
      where file_removed_at is null and status in ('sent', 'refused')
        and created_at < now() - make_interval(days => ${days})
      order by created_at, id limit ${limit})
    returning id`.execute(db)
  return rows.length
}

/** Deletes at most `limit` due removals. Answers their files, and whether an upload still needs each of them. */
export async function deleteDueRemovals(
  trx: Db,
  limit: number,
): Promise<{ sha256: string; is_needed: boolean }[]> {
  const { rows } = await sql<{ sha256: string; is_needed: boolean }>`
      with due as (
        delete from file_removals where sha256 in (
          select sha256 from file_removals where due_at <= now() order by due_at, sha256 limit ${limit})
        returning sha256
      )
      select sha256, exists (
        select from uploads u
        where u.sha256 = due.sha256 and u.infected_with is null and u.file_removed_at is null) as is_needed
      from due`.execute(trx)
  return rows
}
