import type { ScheduleBody } from '@karvon/contract/saved-views/saved-views.schedule-body.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import { buildNextTime } from './saved-views.times.queries.ts'

/** SQL: the JSON of the schedule of the view `v`, as its owner reads it; null without one. */
export const scheduleItem = `(select json_build_object('channel', s.channel, 'time', to_char(s.time, 'HH24:MI'),
    'weekdays', s.weekdays, 'month_days', s.month_days, 'includes_roles', s.includes_roles, 'is_active', s.is_active,
    'next_at', case when s.is_active then s.next_at end,
    'last_message', (select json_build_object('status', m.status, 'due_at', m.due_at, 'sent_at', m.sent_at,
        'reason', case when m.status <> 'sent' then m.reason end)
      from view_messages m where m.view_id = v.id and m.user_id = v.user_id order by m.due_at desc limit 1))
  from view_schedules s where s.view_id = v.id)`

export async function countSchedules(trx: Db, userId: number): Promise<number> {
  const { count } = await trx
    .selectFrom('view_schedules as s')
    .innerJoin('saved_views as v', 'v.id', 's.view_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('v.user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Reads what a person set of the schedule of a view. */
export const readSchedule = (trx: Db, viewId: number) =>
  trx
    .selectFrom('view_schedules')
    .select(['channel', sql<string>`to_char(time, 'HH24:MI')`.as('time'), 'weekdays', 'month_days'])
    .select(['includes_roles', 'is_active'])
    .where('view_id', '=', viewId)
    .executeTakeFirst()

/**
 * Sets the schedule of a view. Its next time is after now. A schedule that is not active has no waiting messages. Those of
 * another channel are sent by the new one, now.
 */
export async function setSchedule(trx: Db, viewId: number, schedule: Required<ScheduleBody>): Promise<void> {
  await trx
    .insertInto('view_schedules')
    .values({ ...schedule, view_id: viewId, next_at: sql<string>`now()` })
    .onConflict((conflict) =>
      conflict.column('view_id').doUpdateSet({ ...schedule, next_at: sql<string>`now()` }),
    )
    .execute()
  const text = `update view_schedules s set next_at = ${buildNextTime('s')} where s.view_id = $1`
  await queryRows(trx, text, [viewId])
  if (schedule.is_active)
    await trx
      .updateTable('view_messages')
      .set({ channel: schedule.channel, next_at: sql<string>`now()` })
      .where('view_id', '=', viewId)
      .where('status', '=', 'queued')
      .where('channel', '<>', schedule.channel)
      .execute()
  else
    await trx
      .deleteFrom('view_messages')
      .where('view_id', '=', viewId)
      .where('status', '=', 'queued')
      .execute()
}

/** Moves the schedules that are not due yet to their next times in the time zone of the session. Safe to repeat. */
export const rescheduleViews = (db: Db) =>
  queryRows(db, `update view_schedules s set next_at = ${buildNextTime('s')} where s.next_at > now()`)

/** Removes the schedule of a view with its messages. */
export const removeSchedule = (trx: Db, viewId: number) =>
  trx.deleteFrom('view_schedules').where('view_id', '=', viewId).execute()

/** Queues a message to the owner of a view, due now, unless one waits. */
export async function queueOwnMessage(trx: Db, viewId: number): Promise<void> {
  await sql`insert into view_messages (view_id, user_id, channel, due_at)
    select s.view_id, v.user_id, s.channel, now() from view_schedules s join saved_views v on v.id = s.view_id
    where s.view_id = ${viewId} and not exists (select from view_messages m
      where m.view_id = v.id and m.user_id = v.user_id and m.status = 'queued')`.execute(trx)
}
