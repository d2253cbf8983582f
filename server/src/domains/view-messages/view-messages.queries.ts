import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import type { ScheduleChannel } from '@karvon/contract/saved-views/saved-views.schedule.ts'
import type { Reason } from '@karvon/contract/lib/problem.ts'
import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import { visibleIds } from '../saved-views/saved-views.queries.ts'

/** A message and what its receiver may have at this moment. */
export interface MessageToSend {
  channel: ScheduleChannel
  name: string
  address: string
  sent_parts: number
  /** The owner and the receiver are active, the view is sent to the receiver, and the receiver may open it. */
  is_allowed: boolean
  is_late: boolean
  /** The day of the due time in the time zone of the installation, yyyy-mm-dd. Periods such as today are those of this day. */
  today: string
  receiver: {
    userId: number
    isAdmin: boolean
    email: string
    language: PersonLanguage | null
    /** The linked chat of Telegram. */
    chat: string | null
    isMuted: boolean
  }
}

/**
 * Reads a message with the present rights of its owner and its receiver. It is late after `hours`. Undefined if it was
 * deleted with its schedule.
 */
export async function readMessageToSend(
  db: Db,
  id: number,
  hours: number,
): Promise<MessageToSend | undefined> {
  const text = `select m.channel, v.name, v.address, m.sent_parts, m.due_at < now() - interval '${hours} hours' as is_late,
      m.due_at::date::text as today,
      o.is_active and p.is_active and (p.id = o.id or s.includes_roles)
        and v.id in (${visibleIds('p.id', 'p.role_id')}) as is_allowed,
      json_build_object('userId', p.id, 'isAdmin', r.code = 'admin', 'email', p.email,
        'language', p.language, 'chat', l.chat_id, 'isMuted', coalesce(l.muted_until > now(), false)) as receiver
    from view_messages m
    join view_schedules s on s.view_id = m.view_id join saved_views v on v.id = m.view_id
    join users o on o.id = v.user_id
    join users p on p.id = m.user_id join roles r on r.id = p.role_id
    left join telegram_links l on l.user_id = p.id
    where m.id = $1`
  const rows = await queryRows<MessageToSend>(db, text, [id])
  return rows[0]
}

/** Stores how many parts of a message have arrived, so that a retry continues with the next one. */
export async function storeSentParts(db: Db, id: number, parts: number): Promise<void> {
  await db.updateTable('view_messages').set({ sent_parts: parts }).where('id', '=', id).execute()
}

/** Stores why the last attempt failed; null if it did not. */
export async function storeReason(db: Db, id: number, reason: Reason | null): Promise<void> {
  const text = reason && JSON.stringify(reason)
  await db.updateTable('view_messages').set({ reason: text }).where('id', '=', id).execute()
}
