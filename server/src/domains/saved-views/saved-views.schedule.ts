import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { maxViewSchedules } from '@karvon/contract/lib/limits.ts'
import type { ScheduleChannel } from '@karvon/contract/saved-views/saved-views.schedule.ts'
import type { ScheduleBody } from '@karvon/contract/saved-views/saved-views.schedule-body.ts'
import { isSendable } from '@karvon/contract/view-request.ts'
import type pg from 'pg'
import { hasBot, hasMailServer } from '../../config.senders.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, invalid } from '../../platform/http/errors.ts'
import { countAttempt } from '../../platform/limits/attempt-limiter.ts'
import { countSchedules, readSchedule, removeSchedule, setSchedule } from './saved-views.schedule.queries.ts'

export type Channels = ReadonlySet<ScheduleChannel>

/** The channels that the settings of the installation have. */
export function getChannels({ telegram, mail }: Deps['config']): Channels {
  const channels = new Set<ScheduleChannel>()
  if (hasBot(telegram)) channels.add('telegram')
  if (hasMailServer(mail)) channels.add('mail')
  return channels
}

/**
 * Changes of schedules and immediate messages of one person that have no wait. Each further one in an hour
 * waits longer.
 */
const freeMessages = 60

/**
 * Counts the calls with which a person makes a message due soon. Without this limit one person could
 * fill the queue of all people, and send any number of mails to an address that they entered. Errors: 429.
 */
export const countScheduledMessage = (pool: pg.Pool, userId: number): Promise<void> =>
  countAttempt(pool, {
    key: `view-message:${userId}`,
    maxFreeFailures: freeMessages,
    code: 'too_many_requests',
  })

interface ScheduledView {
  id: number
  userId: number
  isAdmin: boolean
  address: string
  channels: Channels
}

/**
 * Sets or removes the schedule of a view whose owner is locked. Returns the schedules before and after;
 * undefined without a change. Errors: 409 past the limit and for a channel that is not set up, 422.
 */
export async function changeSchedule(
  trx: Db,
  { id, userId, isAdmin, address, channels }: ScheduledView,
  body: ScheduleBody | null,
): Promise<{ before: ScheduleBody | null; after: ScheduleBody | null } | undefined> {
  const before = (await readSchedule(trx, id)) ?? null
  const after = body === null ? null : completeSchedule(body)
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined
  if (after === null) {
    await removeSchedule(trx, id)
    return { before, after }
  }
  if (!isSendable(address, isAdmin)) throw new AppError('view_not_sendable', {}, { fields: ['schedule'] })
  if (!channels.has(after.channel))
    throw new AppError('channel_not_set_up', {}, { fields: ['schedule.channel'] })
  if (before === null && (await countSchedules(trx, userId)) >= maxViewSchedules)
    throw new AppError('too_many_view_schedules', { max: maxViewSchedules })
  await setSchedule(trx, id, after)
  return { before, after }
}

/** Refuses the new address of a view that has a schedule if it cannot be sent. Errors: 422. */
export async function refuseUnsendable(
  trx: Db,
  { id, isAdmin, address }: Pick<ScheduledView, 'id' | 'isAdmin' | 'address'>,
): Promise<void> {
  if (isSendable(address, isAdmin) || (await readSchedule(trx, id)) === undefined) return
  throw new AppError('view_address_not_sendable', {}, { fields: ['address'] })
}

/**
 * Completes a schedule in the order of its columns. 422 unless it has either weekdays or days of the month.
 */
function completeSchedule(body: ScheduleBody): Required<ScheduleBody> {
  const { channel, time, includes_roles = false, is_active = true } = body
  const [weekdays, month_days] = [body.weekdays, body.month_days].map((days) =>
    days === undefined || days === null ? null : days.toSorted((a, b) => a - b),
  ) as [number[] | null, number[] | null]
  if (weekdays === null && month_days === null)
    throw invalid([fieldError('schedule.weekdays', 'required', { label: 'Days' })])
  if (weekdays !== null && month_days !== null)
    throw invalid([fieldError('schedule.month_days', 'not_valid', { label: 'Days' })])
  return { channel, time, weekdays, month_days, includes_roles, is_active }
}
