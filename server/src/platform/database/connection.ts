import { callbackify } from 'node:util'
import pg from 'pg'
import { openSession, type SessionSettings } from './connection.check.ts'
import { DatabaseHosts } from './connection.hosts.ts'
import { fromTlsError } from './connection.tls.ts'
import { columnTypes } from './pool.parsers.ts'
import { setConnectionTarget, destroyConnection } from './pool.wire.ts'

/** Milliseconds. */
export const defaultStatementTimeout = 30_000

export interface ConnectionOptions {
  /** IANA zone of the installation. The zone of every session, for `date_trunc`, casts and ISO output. */
  timezone: string
  /** Shown in pg_stat_activity. */
  applicationName?: string
  /** Milliseconds after which PostgreSQL ends a statement; 0 means never. */
  statementTimeout?: number
}

export interface ConnectionSettings extends pg.ClientConfig {
  hosts: DatabaseHosts
  sessionSettings: SessionSettings
}

/** Builds the settings of a `DatabaseClient` for a connection string. Errors: as of `DatabaseHosts`. */
export function buildConnectionSettings(url: string, options: ConnectionOptions): ConnectionSettings {
  const [address = '', ...query] = url.split('?')
  const parameters = new URLSearchParams(query.join('?'))
  // The driver prefers the parameters of the URL. Processes find each other by their application_name.
  parameters.delete('application_name')
  const hosts = new DatabaseHosts(parameters.size === 0 ? address : `${address}?${parameters.toString()}`)
  const [{ connectionString, ssl }] = hosts.targets
  return {
    connectionString,
    ssl,
    hosts,
    sessionSettings: listSessionSettings(options),
    application_name: options.applicationName ?? 'karvon',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    // The default of the system is two hours. With 10 s, a connection that a firewall dropped is found within 20 s.
    keepAliveInitialDelayMillis: 10_000,
    types: columnTypes,
  }
}

/** A statement sets them, because PgBouncer refuses or drops start-up options. */
const listSessionSettings = ({ timezone, statementTimeout }: ConnectionOptions): SessionSettings => ({
  TimeZone: timezone,
  DateStyle: 'ISO',
  // Compiling a statement, or starting workers, takes longer than a statement of this product.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  statement_timeout: String(statementTimeout ?? defaultStatementTimeout),
  idle_in_transaction_session_timeout: '60000',
})

/** A client that sets and verifies the settings of its session in `connect`. */
export class DatabaseClient extends pg.Client {
  readonly #settings: ConnectionSettings

  constructor(settings: ConnectionSettings) {
    super(settings)
    this.#settings = settings
    // A lost connection rejects the running query. Without a listener the event would end the process.
    this.on('error', () => {})
  }

  override connect(): Promise<pg.Client>
  /** For the pool. */
  override connect(callback: (error: Error | null, client?: pg.Client) => void): void
  override connect(
    callback?: (error: Error | null, client?: pg.Client) => void,
  ): Promise<pg.Client> | undefined {
    if (callback === undefined) return this.#connect()
    callbackify(() => this.#connect())(callback)
    return undefined
  }

  async #connect(): Promise<pg.Client> {
    const { hosts } = this.#settings
    const target = await hosts.find(this.#settings)
    setConnectionTarget(this, target)
    try {
      await super.connect()
      await this.prepareSession(this.#settings)
      await hosts.requireAttributes(this, target)
    } catch (error) {
      destroyConnection(this)
      throw fromTlsError(error)
    }
    return this
  }

  /** Sets and verifies the settings of the session. */
  protected async prepareSession({
    sessionSettings,
    connectionTimeoutMillis,
  }: ConnectionSettings): Promise<void> {
    await openSession(this, sessionSettings, connectionTimeoutMillis)
  }
}

/** Opens one connection. The caller ends it. Errors: as of `openPool`. */
export async function openClient(url: string, options: ConnectionOptions): Promise<DatabaseClient> {
  const client = new DatabaseClient(buildConnectionSettings(url, options))
  await client.connect()
  return client
}
