import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id } from '../lib/field.ts'
import { maxScheduleRoles } from '../lib/limits.ts'
import { pageSchema } from '../lib/page.ts'
import { expectedUpdatedAt, listQuery } from '../lib/resource.ts'
import { DateTime, nullable, NullableDateTime, NullableText, OneOf } from '../lib/schemas.ts'

export const scheduleChannels = ['telegram', 'mail'] as const
export type ScheduleChannel = (typeof scheduleChannels)[number]

const Channel = OneOf(scheduleChannels)
const Time = Type.String({
  pattern: String.raw`^(?:[01]\d|2[0-3]):[0-5]\d$`,
  description: 'HH:MM in the time zone of the installation',
})
const createDays = (maximum: number, description: string) =>
  Type.Array(Type.Integer({ minimum: 1, maximum }), {
    minItems: 1,
    maxItems: maximum,
    uniqueItems: true,
    description,
  })
const Weekdays = createDays(7, 'Monday is 1')
const MonthDays = createDays(31, 'In a shorter month, the last day stands for the days that it lacks')
const RoleIds = Type.Array(Id, { maxItems: maxScheduleRoles, uniqueItems: true })

/** The newest message to the owner. `reason`: why it was not sent. */
const LastMessage = Type.Object({
  status: OneOf(['queued', 'sent', 'refused']),
  due_at: DateTime,
  sent_at: NullableDateTime,
  reason: NullableText,
})

/**
 * A saved view that is sent at a time of the day, either on weekdays or on days of the month. `receiver_role_ids`: an admin
 * also sends it to the people of these roles, each with what they may see. `next_at` is null while it is off.
 */
export const ViewSchedule = Type.Object({
  id: Type.Integer(),
  view: Type.Object({ id: Type.Integer(), name: Type.String(), address: Type.String() }),
  channel: Channel,
  time: Time,
  weekdays: nullable(Weekdays),
  month_days: nullable(MonthDays),
  receiver_role_ids: Type.Array(Type.Integer(), { maxItems: maxScheduleRoles }),
  is_active: Type.Boolean(),
  next_at: NullableDateTime,
  last_message: nullable(LastMessage),
  created_at: DateTime,
  updated_at: DateTime,
})
export type ViewSchedule = Static<typeof ViewSchedule>

const path = '/api/view-schedules/'
const params = Type.Object({ id: Id })

export const listViewSchedules = call({
  id: 'view-schedules.list',
  summary: 'List the own schedules of saved views',
  method: 'GET',
  path,
  feature: 'view_schedules',
  guard: 'person',
  query: listQuery(['id', 'next_at', 'created_at'], {
    view_id: Id,
    channel: Channel,
    is_active: Type.Boolean(),
  }),
  answer: pageSchema(ViewSchedule),
})

const ScheduleBody = Type.Object({
  view_id: Id,
  channel: Channel,
  time: Time,
  weekdays: Type.Optional(nullable(Weekdays)),
  month_days: Type.Optional(nullable(MonthDays)),
  receiver_role_ids: Type.Optional(RoleIds),
  is_active: Type.Optional(Type.Boolean()),
})
export type ScheduleBody = Static<typeof ScheduleBody>

/**
 * Either `weekdays` or `month_days`. 409 past the limit, and for a channel that the installation has not set up; 422 for a view
 * that the person may not open or that is not of Explore. `receiver_role_ids` are for admins alone.
 */
export const createViewSchedule = call({
  id: 'view-schedules.create',
  summary: 'Send a saved view of Explore on schedule',
  method: 'POST',
  path,
  feature: 'view_schedules',
  guard: 'person',
  status: 201,
  body: ScheduleBody,
  answer: ViewSchedule,
})

const ScheduleChange = Type.Object({
  channel: Type.Optional(Channel),
  time: Type.Optional(Time),
  weekdays: Type.Optional(nullable(Weekdays)),
  month_days: Type.Optional(nullable(MonthDays)),
  receiver_role_ids: Type.Optional(RoleIds),
  is_active: Type.Optional(Type.Boolean()),
  updated_at: expectedUpdatedAt,
})
export type ScheduleChange = Static<typeof ScheduleChange>

/** As {@link createViewSchedule}. Omitted fields stay. 404 for a schedule of another person. */
export const updateViewSchedule = call({
  id: 'view-schedules.update',
  summary: 'Change an own schedule',
  method: 'PUT',
  path: `${path}:id/`,
  feature: 'view_schedules',
  guard: 'person',
  params,
  body: ScheduleChange,
  answer: ViewSchedule,
})

/** Messages that wait are deleted with it. */
export const deleteViewSchedule = call({
  id: 'view-schedules.delete',
  summary: 'Delete an own schedule',
  method: 'DELETE',
  path: `${path}:id/`,
  feature: 'view_schedules',
  guard: 'person',
  params,
  answer: Type.Object({ id: Type.Integer() }),
})

/** A message that waits already is not queued a second time. */
export const sendViewSchedule = call({
  id: 'view-schedules.send',
  summary: 'Send the view of an own schedule to oneself now',
  method: 'POST',
  path: `${path}:id/send/`,
  feature: 'view_schedules',
  guard: 'person',
  params,
  body: Type.Object({}),
  answer: ViewSchedule,
})

export const viewScheduleCalls = [
  listViewSchedules,
  createViewSchedule,
  updateViewSchedule,
  deleteViewSchedule,
  sendViewSchedule,
]
