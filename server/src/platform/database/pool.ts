import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { columnTypes } from './pool.parsers.ts'
import { applyStatementTimeouts } from './statement-timeout.ts'
import { destroyWhenReadOnly, failOnUnreadableAnswer } from './pool.wire.ts'
import type { Tables } from './tables.ts'

/** Milliseconds. */
const defaultStatementTimeout = 30_000

/** The database or one of its transactions. The first parameter of domain functions. */
export type Db = Kysely<Tables>

export interface PoolOptions {
  /** IANA zone of the installation. The zone of every session, for `date_trunc`, casts and ISO output. */
  timezone: string
  /** Maximum number of connections. All pools of all processes must stay below `max_connections`. */
  max?: number
  /** Shown in pg_stat_activity. */
  applicationName?: string
  /** Milliseconds after which PostgreSQL ends a statement; 0 means never. */
  statementTimeout?: number
  /** Maximum bytes of one row. A statement with a larger row fails. */
  maxRowBytes?: number
  /** Called for a lost idle connection, for instance at a restart of PostgreSQL. The pool replaces it. */
  onConnectionLost?: (error: Error) => void
}

/**
 * Builds the settings of a client for a connection string. Zone and limits are start-up options of the session, so no
 * query runs without them.
 */
export function buildConnectionSettings(url: string, options: PoolOptions): pg.ClientConfig {
  const [address = '', ...query] = url.split('?')
  const parameters = new URLSearchParams(query.join('?'))
  const settings = [
    parameters.get('options') ?? '',
    formatOption('TimeZone', options.timezone),
    formatOption('DateStyle', 'ISO'),
    // To compile a statement, or to start workers, takes longer than the statements of this product.
    formatOption('jit', 'off'),
    formatOption('max_parallel_workers_per_gather', '0'),
    formatOption('statement_timeout', String(options.statementTimeout ?? defaultStatementTimeout)),
    formatOption('idle_in_transaction_session_timeout', '60000'),
  ]
  // The driver prefers the parameters of the URL. Its options are merged into ours, and its application_name is
  // dropped, because processes find each other by this name.
  parameters.delete('options')
  parameters.delete('application_name')
  return {
    connectionString: parameters.size === 0 ? address : `${address}?${parameters.toString()}`,
    options: settings.join(' ').trim(),
    application_name: options.applicationName ?? 'karvon',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    // The default of the system is two hours. With this, a connection that a firewall dropped is found within 20 s.
    keepAliveInitialDelayMillis: 10_000,
    types: columnTypes,
  }
}

// Milliseconds. Shorter than the wait of a query for a free connection: failed connection attempts must not block new
// ones when PostgreSQL is back.
const connectTimeout = 2500

// Bytes. The longest string of V8 is half a gigabyte.
const defaultMaxRowBytes = 67_108_864

/**
 * A client with a shorter connection timeout, which fails a statement whose answer is unreadable instead of the
 * process.
 */
const createClientClass = (maxRowBytes: number) =>
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: connectTimeout })
      failOnUnreadableAnswer(this, maxRowBytes)
    }
  }

/**
 * Opens a pool of connections, which survives a restart of PostgreSQL. The main file of platform/database; the room
 * knows all tables and no domain. Errors: queries reject with pg's DatabaseError, or an Error without a connection
 * after 5 s.
 */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...buildConnectionSettings(url, options),
    Client: createClientClass(options.maxRowBytes ?? defaultMaxRowBytes),
    max: options.max ?? 10,
    idleTimeoutMillis: 30_000,
  })
  applyStatementTimeouts(pool, options.statementTimeout ?? defaultStatementTimeout)
  // Without a listener a lost connection would end the process. The query on a lost connection rejects.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    destroyWhenReadOnly(client)
  })
  pool.on('error', (error) => {
    // The pool adds the whole client to the error. It must not be logged.
    Reflect.deleteProperty(error, 'client')
    if (!pool.ending) options.onConnectionLost?.(error)
  })
  return pool
}

/** Typed queries over the pool. `destroy()` ends the pool too. */
export function openDb(pool: pg.Pool): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

function formatOption(name: string, value: string): string {
  return `-c ${name}=${value.replaceAll(/[\\ ]/g, String.raw`\$&`)}`
}
