import { adminCode } from '@karvon/contract/auth/auth.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/pool.ts'

interface Usage {
  upload_count: number
  upload_bytes: number
  parcel_count: number
}

/** Reads a person's row of `person_usage`; null for an admin, who has no quota. */
export async function readUsage(db: Db, userId: number): Promise<Usage | null> {
  const { rows } = await sql<Usage & { admin: boolean }>`
    select coalesce(p.upload_count, 0) as upload_count, coalesce(p.upload_bytes, 0) as upload_bytes,
      coalesce(p.parcel_count, 0) as parcel_count, r.code = ${adminCode} as admin
    from users u join roles r on r.id = u.role_id left join person_usage p on p.user_id = u.id
    where u.id = ${userId}`.execute(db)
  const [usage] = rows
  return usage === undefined || usage.admin ? null : usage
}

/** Counts the people who store something, and those whose counters differ from their rows. */
export async function countDifferingUsage(
  client: pg.ClientBase,
): Promise<{ people: number; differing: number }> {
  const { rows } = await client.query<{ people: number; differing: number }>(
    `with stored as (
         select user_id, count(*) as upload_count, sum(size) as upload_bytes, 0 as parcel_count
         from uploads where infected_with is null and file_removed_at is null group by user_id
         union all
         select owner_id, 0, 0, count(*) from parcels where from_order_file and owner_id is not null group by owner_id
       ), total as (
         select user_id, sum(upload_count) as upload_count, sum(upload_bytes) as upload_bytes,
           sum(parcel_count) as parcel_count
         from stored group by user_id
       )
       select count(*) as people, count(*) filter (where
         (coalesce(p.upload_count, 0), coalesce(p.upload_bytes, 0), coalesce(p.parcel_count, 0)) is distinct from
         (coalesce(t.upload_count, 0), coalesce(t.upload_bytes, 0), coalesce(t.parcel_count, 0))) as differing
       from person_usage p full join total t using (user_id)`,
  )
  const { people = 0, differing = 0 } = rows[0] ?? {}
  return { people, differing }
}
