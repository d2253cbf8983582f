import { maxViewReceivers } from '@karvon/contract/lib/limits.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import type { WorkDelay } from '../../platform/jobs/jobs.ts'
import { buildDueTime, buildNextTime } from '../saved-views/saved-views.times.queries.ts'

/** Until an active schedule is due. */
export const scheduleWorkDelay: WorkDelay = sql`
  select extract(epoch from next_at - now()) * 1000 from view_schedules where is_active order by next_at limit 1`

/** A schedule that is due. `due_at`: its last time; null if that is too long ago to be sent. */
interface DueSchedule {
  view_id: number
  due_at: string | null
}

/** Locks up to `limit` due schedules and moves them to their next times. A time older than `hours` is not sent. */
export async function moveDueSchedules(trx: Db, limit: number, hours: number): Promise<DueSchedule[]> {
  const text = `with due as (
      select s.view_id, ${buildDueTime('s', hours)} as due_at from view_schedules s
      where s.is_active and s.next_at <= now() order by s.next_at, s.view_id limit $1 for update skip locked
    )
    update view_schedules s set next_at = ${buildNextTime('s')} from due where s.view_id = due.view_id
    returning s.view_id, due.due_at`
  const rows = await queryRows<DueSchedule>(trx, text, [limit])
  return rows
}

/**
 * Queues a message for each receiver of due schedules: the owner and, if the owner is an admin, the people of the roles that
 * the view is shared with. A receiver and a due time have one message.
 */
export async function queueMessages(trx: Db, due: readonly DueSchedule[]): Promise<void> {
  const text = `insert into view_messages (view_id, user_id, channel, due_at)
    select s.view_id, receiver.id, s.channel, due.due_at from unnest($1::bigint[], $2::timestamptz[]) due (id, due_at)
    join view_schedules s on s.view_id = due.id join saved_views v on v.id = due.id
    join users o on o.id = v.user_id join roles r on r.id = o.role_id
    cross join lateral (
      select u.id from users u where u.is_active
        and (u.id = o.id or (s.includes_roles and r.code = 'admin'
          and u.role_id in (select role_id from saved_view_roles where view_id = v.id)))
      order by u.id <> o.id, u.id limit ${maxViewReceivers}
    ) receiver
    where o.is_active and due.due_at is not null
    on conflict (view_id, user_id, due_at) do nothing`
  await queryRows(trx, text, [due.map(({ view_id }) => view_id), due.map(({ due_at }) => due_at)])
}
