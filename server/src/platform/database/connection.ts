import { setTimeout as sleep } from 'node:timers/promises'
import { callbackify } from 'node:util'
import pg from 'pg'
import { columnTypes } from './pool.parsers.ts'
import { destroyConnection, getBackendPid } from './pool.wire.ts'

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
  /** The first statement of each session. */
  sessionStatement: string
}

/** Builds the settings of a `DatabaseClient` for a connection string. */
export function buildConnectionSettings(url: string, options: ConnectionOptions): ConnectionSettings {
  const [address = '', ...query] = url.split('?')
  const parameters = new URLSearchParams(query.join('?'))
  // The driver prefers the parameters of the URL. Processes find each other by their application_name.
  parameters.delete('application_name')
  return {
    connectionString: parameters.size === 0 ? address : `${address}?${parameters.toString()}`,
    sessionStatement: buildSessionStatement(options),
    application_name: options.applicationName ?? 'karvon',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    // The default of the system is two hours. With this, a connection that a firewall dropped is found within 20 s.
    keepAliveInitialDelayMillis: 10_000,
    types: columnTypes,
  }
}

/** Start-up options would be one round trip less, but PgBouncer refuses or drops them. */
function buildSessionStatement({ timezone, statementTimeout }: ConnectionOptions): string {
  const settings = {
    TimeZone: timezone,
    DateStyle: 'ISO',
    // To compile a statement, or to start workers, takes longer than the statements of this product.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    statement_timeout: String(statementTimeout ?? defaultStatementTimeout),
    idle_in_transaction_session_timeout: '60000',
  }
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, false)`,
  )
  return `select ${calls.join(', ')}`
}

/** A client whose session has its settings before `connect` ends. `connect` fails without them. */
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
    await super.connect()
    const { sessionStatement, connectionTimeoutMillis } = this.#settings
    const statement = { text: sessionStatement, query_timeout: connectionTimeoutMillis }
    await this.query(statement).catch((error: unknown) => {
      destroyConnection(this)
      throw error
    })
    return this
  }
}

/** Opens one connection. The caller ends it. Errors: as of `openPool`. */
export async function openClient(url: string, options: ConnectionOptions): Promise<DatabaseClient> {
  const client = new DatabaseClient(buildConnectionSettings(url, options))
  await client.connect()
  return client
}

const poolerInTransactionMode =
  'DATABASE_URL leads to a connection pooler in transaction mode, where locks and prepared statements are lost. ' +
  'Set pool_mode = session in the pooler, or give the address of PostgreSQL itself'

// Without other traffic the first probe shows the mode of a pooler. With traffic each of them probably does, after a
// pause in which others can take the session.
const poolerProbes = { count: 20, pause: 5 }

/** Throws an Error that names the remedy if statements of one client may run in several sessions of the server. */
export async function checkSessions(client: pg.Client, openOther: () => Promise<pg.Client>): Promise<void> {
  const pid = await readBackendPid(client)
  // PostgreSQL itself announces the same pid.
  if (pid === getBackendPid(client)) return
  const other = await openOther()
  try {
    // In transaction mode this transaction takes the session that the client used last.
    await other.query('begin')
    let isShared = (await readBackendPid(other)) === pid
    for (let probe = 0; probe < poolerProbes.count && !isShared; probe += 1) {
      await sleep(poolerProbes.pause)
      isShared = (await readBackendPid(client)) !== pid
    }
    if (isShared) throw new Error(poolerInTransactionMode)
  } finally {
    await other.end()
  }
}

async function readBackendPid(client: pg.Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
}
