import { Type, type Static } from 'typebox'
import { nullable } from '../lib/schemas.ts'
import { Channel, maxMonthDays, maxWeekdays } from './saved-views.schedule.ts'

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
const Weekdays = createDays(maxWeekdays, 'Monday is 1')
const MonthDays = createDays(
  maxMonthDays,
  'In a shorter month, the last day stands for the days that it lacks',
)

/**
 * When a view is sent to its owner: at a time of the day, either on weekdays or on days of the month. `includes_roles`:
 * also to the people of the roles that the view is shared with, while the owner is an admin. Each receiver gets what
 * this receiver may see. The body has a file of its own, because every page of the web loads the answer with the list
 * of views.
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
