import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import type { ScheduleChannel } from '@karvon/contract/view-schedules/view-schedules.ts'
import { CompiledQuery } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { visibleIds } from '../saved-views/saved-views.queries.ts'

/** A message and what its receiver may have at this moment. */
export interface MessageToSend {
  channel: ScheduleChannel
  name: string
  address: string
  due_at: string
  sent_parts: number
  /** The owner may still open the view and send it to the receiver. */
  is_allowed: boolean
  receiver: {
    userId: number
    roleId: number
    isAdmin: boolean
    email: string
    language: PersonLanguage | null
    /** The linked chat of Telegram. */
    chat: string | null
    isMuted: boolean
  }
}

/** Reads a message with the present rights of its owner and its receiver. */
export async function readMessageToSend(db: Db, id: number): Promise<MessageToSend> {
  const isAllowed = `o.is_active and u.is_active and v.id in (${visibleIds('o.id', 'o.role_id')})
    and (u.id = o.id or (w.code = 'admin' and u.role_id = any(s.receiver_role_ids)))`
  const text = `select s.channel, v.name, v.address, m.due_at, m.sent_parts, (${isAllowed}) as is_allowed,
      json_build_object('userId', u.id, 'roleId', u.role_id, 'isAdmin', q.code = 'admin', 'email', u.email,
        'language', u.language, 'chat', l.chat_id, 'isMuted', coalesce(l.muted_until > now(), false)) as receiver
    from view_messages m
    join view_schedules s on s.id = m.schedule_id join saved_views v on v.id = s.view_id
    join users o on o.id = s.user_id join roles w on w.id = o.role_id
    join users u on u.id = m.user_id join roles q on q.id = u.role_id
    left join telegram_links l on l.user_id = u.id
    where m.id = $1`
  const { rows } = await db.executeQuery<MessageToSend>(CompiledQuery.raw(text, [id]))
  const [row] = rows
  if (row === undefined) throw new Error('The message was deleted while it was sent')
  return row
}

/** Stores how many parts of a message have arrived, so that a retry goes on with the next one. */
export async function storeSentParts(db: Db, id: number, parts: number): Promise<void> {
  await db.updateTable('view_messages').set({ sent_parts: parts }).where('id', '=', id).execute()
}
