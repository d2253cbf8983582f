import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { pino, type DestinationStream, type Logger } from 'pino'
import { openOutgoing } from './platform/outgoing-http/outgoing.ts'
import type { Config } from './config.ts'
import { monitorPool } from './platform/database/pool.monitor.ts'
import { openDb, openPool, type PoolOptions } from './platform/database/pool.ts'
import { ClockWatch } from './platform/database/clock.ts'
import type { Deps } from './platform/deps.ts'
import { getWebProcessName, Identities } from './platform/security/identities.ts'
import { createJobTrigger } from './platform/jobs/jobs.ts'
import { maxDatabaseRowBytes } from './platform/limits/limits.ts'
import { createEncryption } from './platform/security/encryption.ts'
import type { KeyRing } from './secret-key.ts'

/** Opens the log: JSON lines on standard output (or `to`), without tokens. Bodies are never logged. */
export const openLog = (level: string, to?: DestinationStream): Logger =>
  pino({ level, redact: ['headers.authorization', '*.headers.authorization', '*.password', '*.token'] }, to)

/** Opens the dependencies, on a migrated database. Call `close` after the app is closed. */
export async function openDeps(
  config: Config,
  { url, ring, log }: { url: string; ring: KeyRing; log: Logger },
): Promise<Deps & { close(): Promise<void> }> {
  const options: PoolOptions = {
    timezone: config.timeZone,
    maxRowBytes: maxDatabaseRowBytes,
    ...(config.process !== 'worker' && { applicationName: getWebProcessName(randomUUID()) }),
    onConnectionLost: (error) => log.warn({ err: error }, 'Lost a connection to the database'),
  }
  const pool = openPool(url, options)
  const poolMonitor = monitorPool(pool, { url, options, log: (message) => log.warn(message) })
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
    encryption: createEncryption(ring.keys, ring.reload),
    identities: new Identities(db, pool, config),
    outgoing,
    jobTrigger: createJobTrigger(),
    metrics: new Registry(),
    close: async () => {
      clock.stop()
      await outgoing.close()
      await poolMonitor?.stop()
      await pool.end()
    },
  }
}
