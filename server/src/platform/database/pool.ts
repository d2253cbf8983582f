import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import {
  buildConnectionSettings,
  defaultStatementTimeout,
  DatabaseClient,
  type ConnectionOptions,
} from './connection.ts'
import { PooledClient } from './connection.pooled.ts'
import { keepCallerContext, observeStatements, type StatementObserver } from './pool.statements.ts'
import { applyStatementTimeouts } from './statement-timeout.ts'
import { destroyWhenReadOnly, failOnUnreadableAnswer } from './pool.wire.ts'
import type { Tables } from './tables.ts'

/** The database or one of its transactions. The first parameter of domain functions. */
export type Db = Kysely<Tables>

export interface PoolOptions extends ConnectionOptions {
  /** The address leads to a pooler in transaction mode: nothing may depend on a session. */
  isBehindPooler?: boolean
  /** The server must be a standby. By default it must not be one. */
  isReplica?: boolean
  /** Maximum number of connections. All pools of all processes must stay below `max_connections`. */
  max?: number
  /** Maximum bytes of one row. A statement with a larger row fails. */
  maxRowBytes?: number
  statementObservers?: readonly StatementObserver[]
  /** Called for a lost idle connection, for instance at a restart of PostgreSQL. The pool replaces it. */
  onConnectionLost?: (error: Error) => void
}

// Milliseconds that a query waits for a free connection.
const waitForConnection = 5000
// Milliseconds. Shorter, so that failed attempts do not block new ones when PostgreSQL is back.
const connectTimeout = 2500

// Bytes. The longest string of V8 is half a gigabyte.
const defaultMaxRowBytes = 67_108_864

export const chooseClient = ({ isBehindPooler }: PoolOptions): typeof DatabaseClient =>
  isBehindPooler === true ? PooledClient : DatabaseClient

/**
 * Opens a pool of connections, which survives a restart of PostgreSQL. The main file of platform/database. Errors:
 * queries reject with pg's DatabaseError, and with an Error if no connection is free within 5 s.
 */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  const observers = options.statementObservers ?? []
  const settings = { ...buildConnectionSettings(url, options), connectionTimeoutMillis: connectTimeout }
  const Client = class extends chooseClient(options) {
    constructor() {
      super(settings)
      failOnUnreadableAnswer(this, options.maxRowBytes ?? defaultMaxRowBytes)
      observeStatements(this, observers)
    }
  }
  const pool = new pg.Pool({
    Client,
    connectionTimeoutMillis: waitForConnection,
    max: options.max ?? 10,
    // An idle connection holds 10 to 15 MB of PostgreSQL's memory. Two stay, so that the next request need not connect.
    idleTimeoutMillis: 10_000,
    min: 2,
  })
  if (observers.length > 0) keepCallerContext(pool)
  applyStatementTimeouts(pool, options.statementTimeout ?? defaultStatementTimeout)
  pool.on('connect', destroyWhenReadOnly)
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

/** Callers that wait until a connection is free. The pool also counts callers that get an idle one within this tick. */
export const countWaitingCallers = ({ waitingCount, idleCount }: pg.Pool): number =>
  Math.max(0, waitingCount - idleCount)
