import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** A notice about a person's money. A notice with the same `once` is queued one time only. */
export interface MoneyNotice {
  userId: number
  once: string
  text: string
}

/** Queues notices for those people who have a chat linked and did not turn off notices about money. */
export async function queueMoneyNotices(db: Db, notices: readonly MoneyNotice[]): Promise<void> {
  if (notices.length === 0) return
  await sql`
    insert into notices (user_id, kind, once, text)
    select n.user_id, 'money', n.once, n.text
    from unnest(${notices.map(({ userId }) => userId)}::bigint[], ${notices.map(({ once }) => once)}::text[],
      ${notices.map(({ text }) => text)}::text[]) n (user_id, once, text)
    join telegram_links l on l.user_id = n.user_id and l.chat_id is not null and l.money
    join users u on u.id = n.user_id and u.is_active
    order by n.user_id
    on conflict (once) do nothing`.execute(db)
}
