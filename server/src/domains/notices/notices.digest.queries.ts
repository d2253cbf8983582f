import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { NoticeMessage, NoticeParams } from './notices.texts.ts'

/** The hour of the day and yesterday's date, in the installation's time zone. */
export async function readHour(db: Db): Promise<{ hour: number; yesterday: string } | undefined> {
  const { rows } = await sql<{ hour: number; yesterday: string }>`
        select extract(hour from now())::integer as hour, current_date - 1 as yesterday`.execute(db)
  return rows[0]
}

interface Recipient {
  userId: number
  roleId: number
  /** The day after the last digest, but no day before the person turned the digest on. */
  from: string
}

/**
 * The next people, by id, who have turned the digest on and have not got yesterday's. A digest has at most `maxDays` days.
 * `limit`: people.
 */
export async function findRecipients(
  db: Db,
  { yesterday, maxDays }: { yesterday: string; maxDays: number },
  { after, limit }: { after: number; limit: number },
): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select u.id as "userId", u.role_id as "roleId",
      least(${yesterday}::date, greatest(last.day + 1, coalesce(l.digest_since, l.linked_at)::date,
        l.linked_at::date, ${yesterday}::date - ${maxDays - 1}::integer)) as from
    from telegram_links l join users u on u.id = l.user_id
    cross join lateral (
      select max(split_part(n.once, ':', 3)::date) as day from notices n
      where n.user_id = u.id and n.kind = 'digest'
    ) last
    where u.id > ${after} and l.digest and l.chat_id is not null and u.is_active and coalesce(l.muted_until <= now(), true)
      and not exists (select from notices n where n.once = format('digest:%s:%s', u.id, ${yesterday}::text))
    order by u.id limit ${limit}`.execute(db)
  return rows
}

/** Queues a digest. A digest with the same `once` is queued one time only. */
export async function insertDigest(
  db: Db,
  { params, ...digest }: { user_id: number; once: string; message: NoticeMessage; params: NoticeParams },
): Promise<void> {
  await db
    .insertInto('notices')
    .values({ ...digest, params: JSON.stringify(params), kind: 'digest' })
    .onConflict((conflict) => conflict.column('once').doNothing())
    .execute()
}

export async function deleteOldNotices(db: Db, days: number): Promise<void> {
  await sql`delete from notices where created_at < now() - ${days} * interval '1 day'`.execute(db)
}
