import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { columnTypes } from './pool.parsers.ts'
import { applyStatementTimeouts } from './statement-timeout.ts'
import { cutWhenReadOnly, failUnreadable } from './pool.wire.ts'
import type { Tables } from './tables.ts'

/** Milliseconds. */
const usualStatementTimeout = 30_000

/** What domain functions take first: the database, or a transaction of it. */
export type Db = Kysely<Tables>

export interface PoolOptions {
  /** IANA zone of the installation: the zone of every session, so of `date_trunc`, casts and ISO output. */
  timezone: string
  /** Connections at most. All pools of all processes together must stay below `max_connections`. */
  max?: number
  /** Shown in pg_stat_activity. */
  applicationName?: string
  /** Milliseconds after which PostgreSQL ends a statement; 0 means never. */
  statementTimeout?: number
  /** Bytes of one row at most; a statement that answers more fails. */
  maxRowBytes?: number
  /** Told of connections lost while idle (a restart of PostgreSQL); the pool replaces them by itself. */
  onLost?: (error: Error) => void
}

/**
 * Client settings for a connection string: times, numbers and zone as columns are promised.
 * Sessions start with the zone and limits as start-up options, so no query ever runs without them.
 */
export function connectionSettings(url: string, options: PoolOptions): pg.ClientConfig {
  const [address = '', ...query] = url.split('?')
  const parameters = new URLSearchParams(query.join('?'))
  const settings = [
    parameters.get('options') ?? '',
    option('TimeZone', options.timezone),
    option('DateStyle', 'ISO'),
    // Compiling a statement, or starting workers for it, takes longer than ours do.
    option('jit', 'off'),
    option('max_parallel_workers_per_gather', '0'),
    option('statement_timeout', String(options.statementTimeout ?? usualStatementTimeout)),
    option('idle_in_transaction_session_timeout', '60000'),
  ]
  // The driver prefers what stands in the URL: options named there are moved into ours, and the name must be ours,
  // since processes find each other by it.
  parameters.delete('options')
  parameters.delete('application_name')
  return {
    connectionString: parameters.size === 0 ? address : `${address}?${parameters.toString()}`,
    options: settings.join(' ').trim(),
    application_name: options.applicationName ?? 'karvon',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    // The system's own is two hours: a connection that a firewall forgot is found within 20 s.
    keepAliveInitialDelayMillis: 10_000,
    types: columnTypes,
  }
}

// Milliseconds. Less than a query waits for a free connection: what was tried in vain must not be in the way of what
// succeeds once PostgreSQL is back.
const connectPatience = 2500

// Bytes; far below the longest string of V8, which is half a gigabyte.
const usualRowBytes = 67_108_864

/** Connections that are given up sooner than the wait for a free one, and that survive an answer nobody can read. */
const clientOf = (maxRowBytes: number) =>
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: connectPatience })
      failUnreadable(this, maxRowBytes)
    }
  }

/**
 * A pool of connections that survives a restart of PostgreSQL.
 * Errors: queries reject with pg's DatabaseError, or a plain Error when no connection came in 5 s.
 */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connectionSettings(url, options),
    Client: clientOf(options.maxRowBytes ?? usualRowBytes),
    max: options.max ?? 10,
    idleTimeoutMillis: 30_000,
  })
  applyStatementTimeouts(pool, options.statementTimeout ?? usualStatementTimeout)
  // Without listeners the loss of a connection would end the process. While one is in use its query rejects.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    cutWhenReadOnly(client)
  })
  pool.on('error', (error) => {
    // The pool hangs the whole client on it, which belongs in no log.
    Reflect.deleteProperty(error, 'client')
    if (!pool.ending) options.onLost?.(error)
  })
  return pool
}

/** Typed queries over the pool. `destroy()` ends the pool too. */
export function openDb(pool: pg.Pool): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

function option(name: string, value: string): string {
  return `-c ${name}=${value.replaceAll(/[\\ ]/g, String.raw`\$&`)}`
}
