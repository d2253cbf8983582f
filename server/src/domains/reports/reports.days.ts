import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { lockStatusesExclusive } from '../leads/leads.status-lock.queries.ts'
import {
  daysWorkDelay,
  findBatchEnd,
  readTimeZone,
  saveTimeZone,
  updateDays,
} from './reports.days.queries.ts'

/** Recalculates what other domains store by the time zone of the session. Safe to repeat. */
export type TimeZoneUpdate = (db: Db, signal: AbortSignal) => Promise<void>

/** Leads in one transaction. An ingest waits while one batch runs. */
const batchSize = 5000

/**
 * Recalculates the day of leads with ids above `after`, in the time zone of the session. Returns the last id of the
 * batch, or null after the last lead. Triggers update the figures.
 */
async function recountDays(db: Db, after: number): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    // Exclusive, because the ingest locks rows in another order: it waits until the end of the transaction.
    await lockStatusesExclusive(trx)
    const last = await findBatchEnd(trx, after, batchSize)
    if (last !== null) await updateDays(trx, after, last)
    return last
  })
}

/** Recalculates the day of all leads after a change of the time zone. Safe to repeat. */
export async function applyTimeZone(db: Db, zone: string, signal?: AbortSignal): Promise<void> {
  if ((await readTimeZone(db)) === zone) return
  for (let last: number | null = 0; last !== null; last = await recountDays(db, last)) {
    signal?.throwIfAborted()
  }
  await saveTimeZone(db, zone)
}

/**
 * New leads have their day in the new time zone. This job recalculates the older leads, and before them what other domains
 * store by the time zone.
 */
export const recountDaysJob = ({ db, config }: Deps, updateOtherDomains: TimeZoneUpdate): Job => ({
  name: 'recount-days',
  interval: 60_000,
  timeout: 6 * 3_600_000,
  isExclusive: true,
  workDelay: daysWorkDelay(config.timeZone),
  run: async (signal) => {
    if ((await readTimeZone(db)) !== config.timeZone) await updateOtherDomains(db, signal)
    await applyTimeZone(db, config.timeZone, signal)
  },
})
