import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { isWantedSql } from './notices.queries.ts'
import type { NoticeMessage, NoticeParams } from './notices.texts.ts'

/** A notice for a person. A notice with the same `once` is queued one time only. */
export interface NewNotice {
  userId: number
  kind: 'money' | 'problem'
  once: string
  message: NoticeMessage
  params: NoticeParams
}

/** Queues notices for those people who have a chat linked and turned off neither all notices nor those of the kind. */
export async function queueNotices(db: Db, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return
  await sql`
    insert into notices (user_id, kind, once, message, params)
    select n.user_id, n.kind, n.once, n.message, n.params
    from unnest(${notices.map(({ userId }) => userId)}::bigint[], ${notices.map(({ kind }) => kind)}::text[],
      ${notices.map(({ once }) => once)}::text[], ${notices.map(({ message }) => message)}::text[],
      ${notices.map(({ params }) => JSON.stringify(params))}::jsonb[]) n (user_id, kind, once, message, params)
    join telegram_links l on l.user_id = n.user_id and l.chat_id is not null
      and ${isWantedSql} and coalesce(l.muted_until <= now(), true)
    join users u on u.id = n.user_id and u.is_active
    order by n.user_id
    on conflict (once) do nothing`.execute(db)
}
