import { randomUUID } from 'node:crypto'
import { pino, type DestinationStream, type Logger } from 'pino'
import { openOutgoing } from './clients/outgoing.ts'
import type { Config } from './config.ts'
import { watchPool } from './db/pool.pulse.ts'
import { openDb, openPool, type PoolOptions } from './db/pool.ts'
import { ClockWatch } from './kit/clock.ts'
import type { Deps } from './kit/deps.ts'
import { answering, Identities } from './kit/identities.ts'
import { newBell } from './kit/jobs.ts'
import { maxAnswerBytes } from './kit/limits.ts'
import { openSeal } from './kit/seal.ts'
import { newSyncCounters } from './kit/syncs/syncs.metrics.ts'
import type { KeyRing } from './secret-key.ts'

/** The log: JSON lines on standard output (or `to`), without tokens. Bodies never go into it. */
export const openLog = (level: string, to?: DestinationStream): Logger =>
  pino({ level, redact: ['headers.authorization', '*.headers.authorization', '*.password', '*.token'] }, to)

/** Opens what the product is built from, on a database that is there and migrated. Call `close` after the app's. */
export async function openDeps(
  config: Config,
  url: string,
  ring: KeyRing,
  log: Logger,
): Promise<Deps & { close(): Promise<void> }> {
  const options: PoolOptions = {
    timezone: config.timeZone,
    maxRowBytes: maxAnswerBytes,
    ...(config.process !== 'worker' && { applicationName: answering(randomUUID()) }),
    onLost: (error) => log.warn({ err: error }, 'Lost a connection to the database'),
  }
  const pool = openPool(url, options)
  const pulse = watchPool(pool, url, options, (message) => log.warn(message))
  const db = openDb(pool)
  const clock = new ClockWatch(pool, log)
  await clock.measure()
  const outgoing = openOutgoing(config.outboundAllow)
  return {
    db,
    pool,
    config,
    log,
    clock,
    seal: openSeal(ring.keys, ring.reload),
    identities: new Identities(db, pool, config),
    outgoing,
    bell: newBell(),
    syncCounters: newSyncCounters(),
    close: async () => {
      clock.stop()
      await outgoing.close()
      await pulse?.stop()
      await pool.end()
    },
  }
}
