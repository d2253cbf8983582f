import { explorePath } from '@karvon/contract/explore/explore.address.ts'
import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { maxViewSchedules } from '@karvon/contract/lib/limits.ts'
import { getViewScreen } from '@karvon/contract/saved-views/address.ts'
import type {
  ScheduleBody,
  ScheduleChange,
  ScheduleChannel,
} from '@karvon/contract/view-schedules/view-schedules.ts'
import { audit } from '../../platform/audit/audit.ts'
import { createConflictError } from '../../platform/database/conflict.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, invalid, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { checkReceiverRoles } from '../roles/roles.queries.ts'
import { readViewAddress } from '../saved-views/saved-views.queries.ts'
import { insertSchedule, lockSchedule, lockScheduleCount, updateSchedule } from './view-schedules.queries.ts'

export const noun = 'schedule'

export type Channels = ReadonlySet<ScheduleChannel>

/** The channels that the settings of the installation have. */
export function getChannels({ telegram, mail }: Deps['config']): Channels {
  const channels = new Set<ScheduleChannel>()
  if (telegram.token !== undefined) channels.add('telegram')
  if (mail.smtpUrl !== undefined && mail.from !== undefined) channels.add('mail')
  return channels
}

/** Creates a schedule and answers its id. Errors: 409 past the limit and for a channel that is not set up, 422. */
export async function createSchedule(
  trx: Db,
  { body, person, channels }: { body: ScheduleBody; person: Identity; channels: Channels },
): Promise<number> {
  if ((await lockScheduleCount(trx, person.userId)) >= maxViewSchedules)
    throw new AppError('too_many_view_schedules', { max: maxViewSchedules })
  const address = await readViewAddress(trx, body.view_id, person)
  if (address === undefined) throw invalid([fieldError('view_id', 'reference_missing', { label: 'View' })])
  if (getViewScreen(address) !== explorePath)
    throw new AppError('view_not_sendable', {}, { fields: ['view_id'] })
  await checkSchedule(trx, body, { person, channels })
  const id = await insertSchedule(trx, person.userId, body)
  await audit(trx, { person, action: 'create', resource: 'view-schedules', rowId: id, after: body })
  return id
}

/** Changes an own schedule. Errors: 404; 409 for a newer version; 422. */
export async function changeSchedule(
  trx: Db,
  { id, body, person, channels }: { id: number; body: ScheduleChange; person: Identity; channels: Channels },
): Promise<void> {
  const old = await lockSchedule(trx, id, person.userId)
  if (old === undefined) throw notFound(noun)
  const { updated_at: expected, ...change } = body
  if (expected && Date.parse(expected) < Date.parse(old.updated_at)) throw createConflictError(noun)
  const { updated_at: _, ...stored } = old
  const isChanged = (key: keyof typeof change) => JSON.stringify(change[key]) !== JSON.stringify(stored[key])
  const keys = (Object.keys(change) as (keyof typeof change)[]).filter(isChanged)
  if (keys.length === 0) return
  await checkSchedule(trx, { ...stored, ...change }, { person, channels })
  const pick = (values: Partial<ScheduleBody>) => Object.fromEntries(keys.map((key) => [key, values[key]]))
  await updateSchedule(trx, id, pick(change))
  await audit(trx, {
    person,
    action: 'update',
    resource: 'view-schedules',
    rowId: id,
    before: pick(stored),
    after: pick(change),
  })
}

async function checkSchedule(
  trx: Db,
  { channel, weekdays, month_days, receiver_role_ids }: ScheduleBody,
  { person, channels }: { person: Identity; channels: Channels },
): Promise<void> {
  if (!channels.has(channel)) throw new AppError('channel_not_set_up', {}, { fields: ['channel'] })
  const hasWeekdays = (weekdays ?? null) !== null
  const hasMonthDays = (month_days ?? null) !== null
  if (!hasWeekdays && !hasMonthDays)
    throw invalid([fieldError('weekdays', 'required', { label: 'Weekdays' })])
  if (hasWeekdays && hasMonthDays)
    throw invalid([fieldError('month_days', 'not_valid', { label: 'Days of the month' })])
  await checkReceiverRoles(trx, receiver_role_ids ?? [], person)
}
