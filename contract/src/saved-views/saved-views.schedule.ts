import { Type, type Static } from 'typebox'
import { Reason } from '../lib/problem.ts'
import { DateTime, nullable, NullableDateTime, OneOf } from '../lib/schemas.ts'

export const scheduleChannels = ['telegram', 'mail'] as const
export type ScheduleChannel = (typeof scheduleChannels)[number]
export const Channel = OneOf(scheduleChannels)

export const maxWeekdays = 7
export const maxMonthDays = 31

/** The newest message to the owner. `reason`: why it was not sent, or has not been sent yet. */
const LastMessage = Type.Object({
  status: OneOf(['queued', 'sent', 'refused']),
  due_at: DateTime,
  sent_at: NullableDateTime,
  reason: nullable(Reason),
})

/** The schedule of a view as its owner reads it. `next_at` is null while it is not active. */
export const ViewSchedule = Type.Object({
  channel: Channel,
  time: Type.String(),
  weekdays: nullable(Type.Array(Type.Integer(), { maxItems: maxWeekdays })),
  month_days: nullable(Type.Array(Type.Integer(), { maxItems: maxMonthDays })),
  includes_roles: Type.Boolean(),
  is_active: Type.Boolean(),
  next_at: NullableDateTime,
  last_message: nullable(LastMessage),
})
export type ViewSchedule = Static<typeof ViewSchedule>
