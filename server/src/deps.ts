import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { pino, type DestinationStream, type Logger } from 'pino'
import { openOutgoing } from './platform/outgoing-http/outgoing.ts'
import type { Config } from './config.ts'
import { monitorPool } from './platform/database/pool.monitor.ts'
import { openDb, openPool, type PoolOptions } from './platform/database/pool.ts'
import { ReadReplica } from './platform/database/replica.ts'
import { measureConnectionWaits } from './platform/database/pool.metrics.ts'
import { logSlowStatements } from './platform/database/pool.statements.ts'
import { ClockWatch } from './platform/database/clock.ts'
import { openFileStore } from './platform/files/file-store.ts'
import type { Deps } from './platform/deps.ts'
import { getWebProcessName, Identities } from './platform/security/identities.ts'
import { createJobTrigger } from './platform/jobs/jobs.ts'
import { PasswordHasher } from './platform/security/passwords.ts'
import { maxDatabaseRowBytes } from './platform/limits/limits.ts'
import { openTracing } from './platform/tracing/tracing.ts'
import { createEncryption } from './platform/security/encryption.ts'
import type { KeyRing } from './secret-key.ts'

/** Opens the log: JSON lines on standard output (or `to`), without tokens. Bodies are never logged. */
export const openLog = (level: string, to?: DestinationStream): Logger =>
  pino({ level, redact: ['headers.authorization', '*.headers.authorization', '*.password', '*.token'] }, to)

/** Connections to PostgreSQL itself beside a pooler: one for the locks of jobs, the others for remaps and a vacuum. */
const sessionConnections = 4

/** Opens the dependencies, on a migrated database. Call `close` after the app is closed. */
export async function openDeps(
  config: Config,
  { url, ring, log }: { url: string; ring: KeyRing; log: Logger },
): Promise<Deps & { close(): Promise<void> }> {
  const { databaseDirectUrl: directUrl, databasePool: max } = config
  const tracing = await openTracing(config.tracing, log)
  const options: PoolOptions = {
    timezone: config.timeZone,
    maxRowBytes: maxDatabaseRowBytes,
    statementObservers: [
      ...(config.slowStatementMs > 0 ? [logSlowStatements(log, config.slowStatementMs)] : []),
      ...(tracing === null ? [] : [tracing.observeStatement]),
    ],
    onConnectionLost: (error) => log.warn({ err: error }, 'Lost a connection to the database'),
  }
  // Behind a pooler a connection is of no single process, so no process may count as the only one.
  const isNamed = config.process !== 'worker' && directUrl === undefined
  const calls = openMonitoredPool(log, url, {
    ...options,
    max,
    isBehindPooler: directUrl !== undefined,
    ...(isNamed && { applicationName: getWebProcessName(randomUUID()) }),
  })
  const sessions =
    directUrl === undefined
      ? calls
      : openMonitoredPool(log, directUrl, { ...options, max: sessionConnections })
  const { pool } = calls
  const metrics = new Registry()
  measureConnectionWaits(pool, metrics)
  const reads =
    config.databaseReadUrl === undefined
      ? null
      : openMonitoredPool(log, config.databaseReadUrl, {
          ...options,
          max,
          isBehindPooler: directUrl !== undefined,
          isReplica: true,
        })
  const readReplica =
    reads &&
    new ReadReplica({
      primary: pool,
      replica: reads.pool,
      maxLag: config.databaseReadMaxLag * 1000,
      log,
      metrics,
    })
  const db = openDb(pool)
  const clock = new ClockWatch(pool, log)
  await clock.measure()
  const outgoing = openOutgoing(config.outboundAllow)
  return {
    db,
    pool,
    sessionPool: sessions.pool,
    sessionDb: sessions === calls ? db : openDb(sessions.pool),
    readReplica,
    config,
    files: openFileStore(config),
    log,
    clock,
    encryption: createEncryption(ring.keys, ring.reload),
    passwords: new PasswordHasher(config.passwordCost),
    identities: new Identities(db, pool, config),
    outgoing,
    jobTrigger: createJobTrigger(),
    metrics,
    tracing,
    close: async () => {
      clock.stop()
      await outgoing.close()
      for (const database of new Set([calls, sessions, reads])) await database?.close()
      await tracing?.close()
    },
  }
}

function openMonitoredPool(log: Logger, url: string, options: PoolOptions) {
  const pool = openPool(url, options)
  const monitor = monitorPool(pool, { url, options, log: (message) => log.warn(message) })
  return {
    pool,
    close: async () => {
      await monitor?.stop()
      await pool.end()
    },
  }
}
