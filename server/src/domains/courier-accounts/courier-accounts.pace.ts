import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/**
 * Waits until the next request to the courier may leave: `pace` milliseconds after the last one, whichever account,
 * process or run that was of, since the vendor counts the requests of an address. Turns stand in the database, so that
 * a restart begins none anew.
 */
export async function courierTurn(db: Db, pace: number, signal: AbortSignal): Promise<void> {
  if (pace <= 0) return
  const { rows } = await sql<{ wait: number }>`
    update courier_turns
    set next_at = greatest(next_at, clock_timestamp()) + make_interval(secs => ${pace / 1000})
    returning (extract(epoch from next_at - clock_timestamp()) * 1000)::float8 - ${pace} as wait`.execute(db)
  // Longer only where the clock was set back meanwhile.
  await sleep(Math.min(Math.max(Math.ceil(rows[0]?.wait ?? 0), 0), longest), undefined, { signal })
}

const longest = 60_000
