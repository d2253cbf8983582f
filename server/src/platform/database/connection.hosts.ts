import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { parseDatabaseUrl, type TargetAttributes } from '../../config.database-url.ts'
import { UnsuitableConnectionError } from './connection.check.ts'
import { buildTlsAttempts, fromTlsError } from './connection.tls.ts'

/** One host of an address with one choice of TLS. */
interface ConnectionTarget {
  connectionString: string
  host: string
  port: number
  ssl: ConnectionOptions | false
}

/** Milliseconds for one host. The pool fails after 5 s. */
const hostTimeout = 1500

/** The hosts of an address. The host that was used last is tried first, then the others in order. */
export class DatabaseHosts {
  readonly targets: readonly [ConnectionTarget, ...ConnectionTarget[]]
  readonly #attributes: TargetAttributes
  #preferred: ConnectionTarget

  /** Errors: a wrong parameter of the address, or a certificate that cannot be read. */
  constructor(url: string) {
    const { hostUrls, attributes, tls } = parseDatabaseUrl(url)
    const attempts = buildTlsAttempts(tls)
    const [firstTarget, ...otherTargets] = hostUrls.flatMap((hostUrl) => listTargets(hostUrl, attempts))
    if (firstTarget === undefined) throw new Error('The address of the database has no host')
    this.targets = [firstTarget, ...otherTargets]
    this.#attributes = attributes
    this.#preferred = firstTarget
  }

  /** Whether the server is on this machine. */
  get isLocal(): boolean {
    return this.targets.every(({ host }) => host.startsWith('/'))
  }

  /**
   * The first target that accepts a connection and has the required state. A single target is returned without a probe.
   * Errors: an AggregateError of all attempts.
   */
  async find(config: pg.ClientConfig): Promise<ConnectionTarget> {
    if (this.targets.length === 1) return this.targets[0]
    const preferredTarget = this.#preferred
    const errors: unknown[] = []
    for (const target of [
      preferredTarget,
      ...this.targets.filter((hostTarget) => hostTarget !== preferredTarget),
    ]) {
      try {
        await this.#probe(target, config)
        this.#preferred = target
        return target
      } catch (error) {
        errors.push(error)
      }
    }
    const reasons = new Set(errors.map((error) => (error instanceof Error ? error.message : String(error))))
    throw new AggregateError(errors, [...reasons].join('; '))
  }

  async #probe(target: ConnectionTarget, config: pg.ClientConfig): Promise<void> {
    const { connectionString, ssl } = target
    const client = new pg.Client({ ...config, connectionString, ssl, connectionTimeoutMillis: hostTimeout })
    client.on('error', () => {})
    try {
      await client.connect()
      await this.requireAttributes(client, target)
    } catch (error) {
      throw fromTlsError(error)
    } finally {
      // Not awaited: a host that does not answer would not confirm the end either.
      client.end().catch(() => {})
    }
  }

  /** Throws an UnsuitableConnectionError if the server does not have the state that `target_session_attrs` requires. */
  async requireAttributes(client: pg.Client, { host }: ConnectionTarget): Promise<void> {
    const attributes = this.#attributes
    if (attributes === 'any') return
    const query = { text: stateSql, query_timeout: hostTimeout }
    const { rows } = await client.query<{ is_standby: boolean; is_read_only: boolean }>(query)
    const [state] = rows
    if (state?.is_standby === false && (attributes === 'primary' || !state.is_read_only)) return
    throw new UnsuitableConnectionError(
      `${host} does not accept changes (target_session_attrs=${attributes})`,
    )
  }
}

const stateSql = `select pg_is_in_recovery() as is_standby,
  current_setting('default_transaction_read_only') = 'on' as is_read_only`

function listTargets(
  connectionString: string,
  attempts: readonly (ConnectionOptions | false)[],
): ConnectionTarget[] {
  // The driver fills in the missing parts of the address.
  const { host, port } = new pg.Client({ connectionString, ssl: false })
  // As in libpq, a Unix socket has no TLS.
  const tlsOptions = host.startsWith('/') ? [false as const] : attempts
  return tlsOptions.map((ssl) => ({ connectionString, host, port, ssl }))
}
