import { Type, type Static } from 'typebox'
import { DateTime, nullable, NullableDateTime, NullableText, OneOf } from '../lib/schemas.ts'

export const scheduleChannels = ['telegram', 'mail'] as const
export type ScheduleChannel = (typeof scheduleChannels)[number]

const Channel = OneOf(scheduleChannels)
const Time = Type.String({
  pattern: String.raw`^(?:[01]\d|2[0-3]):[0-5]\d$`,
  description: 'HH:MM in the time zone of the installation',
})
const createDays = (maximum: number, description: string) =>
  nullable(
    Type.Array(Type.Integer({ minimum: 1, maximum }), {
      minItems: 1,
      maxItems: maximum,
      uniqueItems: true,
      description,
    }),
  )
const Weekdays = createDays(7, 'Monday is 1')
const MonthDays = createDays(31, 'In a shorter month, the last day stands for the days that it lacks')

/**
 * When a view is sent to its owner: at a time of the day, either on weekdays or on days of the month. `includes_roles`: also
 * to the people of the roles that the view is shared with, while the owner is an admin. Each gets what they may see.
 */
export const ScheduleBody = Type.Object({
  channel: Channel,
  time: Time,
  weekdays: Type.Optional(Weekdays),
  month_days: Type.Optional(MonthDays),
  includes_roles: Type.Optional(Type.Boolean()),
  is_active: Type.Optional(Type.Boolean()),
})
export type ScheduleBody = Static<typeof ScheduleBody>

/** The newest message to the owner. `reason`: why it was not sent. */
const LastMessage = Type.Object({
  status: OneOf(['queued', 'sent', 'refused']),
  due_at: DateTime,
  sent_at: NullableDateTime,
  reason: NullableText,
})

/** The schedule of a view as its owner reads it. `next_at` is null while it is not active. */
export const ViewSchedule = Type.Object({
  channel: Channel,
  time: Time,
  weekdays: Weekdays,
  month_days: MonthDays,
  includes_roles: Type.Boolean(),
  is_active: Type.Boolean(),
  next_at: NullableDateTime,
  last_message: nullable(LastMessage),
})
export type ViewSchedule = Static<typeof ViewSchedule>
