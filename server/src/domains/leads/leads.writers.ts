import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../platform/database/pool.ts'
import { findWriters } from './leads.writers.queries.ts'

/** Milliseconds between two checks for active writers. */
const pollInterval = 50

/** Waits until the active writers of leads and outcomes finish. It does not wait for writers that start later. */
export async function waitForWriters(db: Db, signal: AbortSignal): Promise<void> {
  let remainingWriters = new Set(await findWriters(db))
  while (remainingWriters.size > 0) {
    await sleep(pollInterval, undefined, { signal })
    remainingWriters = new Set(await findWriters(db)).intersection(remainingWriters)
  }
}
