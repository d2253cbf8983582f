import type { QueryOf } from '@karvon/contract/lib/call.ts'
import type { listViewSchedules, ScheduleBody } from '@karvon/contract/view-schedules/view-schedules.ts'
import { CompiledQuery, sql } from 'kysely'
import { nextUpdatedAt } from '../../platform/database/conflict.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, Where } from '../../resources/lists.where.ts'
import { buildNextTime } from './view-schedules.times.queries.ts'

/** The JSON of the schedule `s`, for its owner. */
export const scheduleItem = `json_build_object('id', s.id,
  'view', (select json_build_object('id', v.id, 'name', v.name, 'address', v.address)
    from saved_views v where v.id = s.view_id),
  'channel', s.channel, 'time', to_char(s.time, 'HH24:MI'), 'weekdays', s.weekdays, 'month_days', s.month_days,
  'receiver_role_ids', s.receiver_role_ids, 'is_active', s.is_active,
  'next_at', case when s.is_active then s.next_at end,
  'last_message', (select json_build_object('status', m.status, 'due_at', m.due_at, 'sent_at', m.sent_at,
      'reason', case when m.status <> 'sent' then m.last_error end)
    from view_messages m where m.schedule_id = s.id and m.user_id = s.user_id order by m.due_at desc limit 1),
  'created_at', s.created_at, 'updated_at', s.updated_at)`

const columns = { id: 's.id', next_at: 's.next_at', created_at: 's.created_at' }

export function buildScheduleList(query: QueryOf<typeof listViewSchedules>, userId: number): ListDeclaration {
  const where = new Where().and('s.user_id = ?', userId)
  const visible = where.toString()
  return {
    table: 'view_schedules',
    alias: 's',
    item: { json: scheduleItem },
    visible,
    where: where
      .and('s.view_id = ?', query.view_id)
      .and('s.channel = ?', query.channel)
      .and('s.is_active = ?', query.is_active),
    order: buildOrderBy({
      columns,
      sort: query.sort,
      defaultSort: 'id',
      tieBreaker: 's.id',
      notNullKeys: Object.keys(columns),
    }),
  }
}

/** Locks a person, so that one change of their schedules comes after the other. Returns the number of schedules. */
export async function lockScheduleCount(trx: Db, userId: number): Promise<number> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst()
  const { count } = await trx
    .selectFrom('view_schedules')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Locks an own schedule and reads what a person sets of it. `time` is HH:MM. */
export const lockSchedule = (trx: Db, id: number, userId: number) =>
  trx
    .selectFrom('view_schedules')
    .select(['view_id', 'channel', 'weekdays', 'month_days', 'receiver_role_ids', 'is_active', 'updated_at'])
    .select(sql<string>`to_char(time, 'HH24:MI')`.as('time'))
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()

/** Inserts a schedule whose next time is after now. */
export async function insertSchedule(trx: Db, userId: number, body: ScheduleBody): Promise<number> {
  const { id } = await trx
    .insertInto('view_schedules')
    .values({ ...body, user_id: userId, next_at: sql<string>`now()` })
    .returning('id')
    .executeTakeFirstOrThrow()
  await moveToNextTime(trx, id)
  return id
}

export async function updateSchedule(trx: Db, id: number, values: Partial<ScheduleBody>): Promise<void> {
  await trx
    .updateTable('view_schedules')
    .set({ ...values, updated_at: nextUpdatedAt })
    .where('id', '=', id)
    .execute()
  await moveToNextTime(trx, id)
}

async function moveToNextTime(trx: Db, id: number): Promise<void> {
  await trx.executeQuery(
    CompiledQuery.raw(`update view_schedules s set next_at = ${buildNextTime('s')} where s.id = $1`, [id]),
  )
}

export const deleteSchedule = (trx: Db, id: number) =>
  trx.deleteFrom('view_schedules').where('id', '=', id).execute()

/** Queues a message to the owner, due now, unless one waits. */
export async function queueOwnMessage(trx: Db, id: number, userId: number): Promise<void> {
  await sql`insert into view_messages (schedule_id, user_id, due_at) select ${id}, ${userId}, now()
    where not exists (select from view_messages
      where schedule_id = ${id} and user_id = ${userId} and status = 'queued')`.execute(trx)
}
