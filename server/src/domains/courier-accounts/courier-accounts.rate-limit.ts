import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/**
 * Waits until the next request to the courier is allowed: `interval` milliseconds after the last request of any account
 * and process, because the vendor counts the requests of an IP address. The time of the next request is stored in the
 * database, so a restart does not reset the limit.
 */
export async function waitForCourierSlot(db: Db, interval: number, signal: AbortSignal): Promise<void> {
  if (interval <= 0) return
  const { rows } = await sql<{ wait: number }>`
    update courier_turns
    set next_at = greatest(next_at, clock_timestamp()) + make_interval(secs => ${interval / 1000})
    returning (extract(epoch from next_at - clock_timestamp()) * 1000)::float8 - ${interval} as wait`.execute(
    db,
  )
  // The wait is longer than maxWait only if the clock was set back meanwhile.
  await sleep(Math.min(Math.max(Math.ceil(rows[0]?.wait ?? 0), 0), maxWait), undefined, { signal })
}

/** Milliseconds. */
const maxWait = 60_000
