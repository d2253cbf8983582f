import { randomUUID } from 'node:crypto'
import type { Registry } from 'prom-client'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { measureConnectionWaits } from './platform/database/pool.metrics.ts'
import { monitorPool } from './platform/database/pool.monitor.ts'
import { logSlowStatements } from './platform/database/pool.statements.ts'
import { openDb, openPool, type PoolOptions } from './platform/database/pool.ts'
import { ReadReplica } from './platform/database/replica.ts'
import { maxDatabaseRowBytes } from './platform/limits/limits.ts'
import { getWebProcessName } from './platform/security/identities.ts'
import type { Tracing } from './platform/tracing/tracing.ts'

/** Connections to PostgreSQL itself beside a pooler: one for the locks of jobs, the others for remaps and a vacuum. */
const sessionConnections = 4

interface ConnectionDeps {
  /** The URL of the database, or of a pooler in front of it. */
  url: string
  log: Logger
  metrics: Registry
  tracing: Tracing | null
}

/**
 * Opens the connections to the database: `pool` for calls and jobs, `sessionPool` for work that needs a session of its
 * own, and the read replica. Without a pooler, the first two are the same. Call `close` at the end.
 */
export function openConnections(config: Config, { url, log, metrics, tracing }: ConnectionDeps) {
  const { databaseDirectUrl: directUrl, databaseReadUrl: readUrl, databasePool: max } = config
  const isBehindPooler = directUrl !== undefined
  const options: PoolOptions = {
    timezone: config.timeZone,
    maxRowBytes: maxDatabaseRowBytes,
    statementObservers: [
      ...(config.slowStatementMs > 0 ? [logSlowStatements(log, config.slowStatementMs)] : []),
      ...(tracing === null ? [] : [tracing.observeStatement]),
    ],
    onConnectionLost: (error) => log.warn({ err: error }, 'Lost a connection to the database'),
  }
  // Web processes find each other by this name. Behind a pooler a connection belongs to no single process, so a process
  // must not conclude that it is the only one.
  const isNamed = config.process !== 'worker' && !isBehindPooler
  const calls = openMonitoredPool(log, url, {
    ...options,
    max,
    isBehindPooler,
    ...(isNamed && { applicationName: getWebProcessName(randomUUID()) }),
  })
  measureConnectionWaits(calls.pool, metrics)
  const sessions = isBehindPooler
    ? openMonitoredPool(log, directUrl, { ...options, max: sessionConnections })
    : calls
  const reads =
    readUrl === undefined
      ? null
      : openMonitoredPool(log, readUrl, { ...options, max, isBehindPooler, isReplica: true })
  const db = openDb(calls.pool)
  return {
    db,
    pool: calls.pool,
    sessionPool: sessions.pool,
    sessionDb: sessions === calls ? db : openDb(sessions.pool),
    readReplica:
      reads &&
      new ReadReplica({
        primary: calls.pool,
        replica: reads.pool,
        maxLag: config.databaseReadMaxLag * 1000,
        log,
        metrics,
      }),
    close: async () => {
      for (const database of new Set([calls, sessions, reads])) await database?.close()
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
