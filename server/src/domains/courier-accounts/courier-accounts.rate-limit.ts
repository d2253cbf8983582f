import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../platform/database/pool.ts'
import { reserveCourierSlot } from './courier-accounts.queries.ts'

/**
 * Waits until the next request to the courier is allowed: `interval` milliseconds after the last request of any account
 * and process, because the vendor counts the requests of an IP address. The time of the next request is stored in the
 * database, so a restart does not reset the limit.
 */
export async function waitForCourierSlot(db: Db, interval: number, signal: AbortSignal): Promise<void> {
  if (interval <= 0) return
  const wait = await reserveCourierSlot(db, interval)
  // The wait is longer than maxWait only if the clock was set back meanwhile.
  await sleep(Math.min(Math.max(Math.ceil(wait), 0), maxWait), undefined, { signal })
}

/** Milliseconds. */
const maxWait = 60_000
