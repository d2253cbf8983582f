import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { pino, type DestinationStream, type Logger } from 'pino'
import { openOutgoing } from './platform/outgoing-http/outgoing.ts'
import type { Config } from './config.ts'
import { watchPool } from './platform/database/pool.pulse.ts'
import { openDb, openPool, type PoolOptions } from './platform/database/pool.ts'
import { ClockWatch } from './platform/database/clock.ts'
import type { Deps } from './platform/deps.ts'
import { answering, Identities } from './platform/security/identities.ts'
import { newBell } from './platform/jobs/jobs.ts'
import { maxAnswerBytes } from './platform/limits/limits.ts'
import { openSeal } from './platform/security/seal.ts'
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
    metrics: new Registry(),
    close: async () => {
      clock.stop()
      await outgoing.close()
      await pulse?.stop()
      await pool.end()
    },
  }
}
