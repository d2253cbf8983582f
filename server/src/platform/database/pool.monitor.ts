import pg from 'pg'
import { buildConnectionSettings, type ConnectionSettings } from './connection.ts'
import { chooseClient, type PoolOptions } from './pool.ts'
import { countBytesReceived, getBackendPid, destroyConnection, getBytesReceived } from './pool.wire.ts'

/** Seconds. */
const thresholds = {
  /** Until a new connection is opened because a probe has no answer. */
  suspect: 3,
  /** Until all connections are closed, even if no new one gets an answer: calls answer 503 instead of waiting. */
  unavailable: 10,
  /** Until the probe asks whether a backend still works on a statement that has sent nothing. */
  silent: 35,
  /** Between two probes of an unused pool. */
  idle: 10,
}

/** Milliseconds. */
const connectTimeout = 2000

interface PoolMonitoring {
  url: string
  options: PoolOptions
  log: (message: string) => void
}

/** Monitors a pool, unless its server is on this machine: a Unix socket reports the end of the server at once. */
export function monitorPool(pool: pg.Pool, monitoring: PoolMonitoring): PoolMonitor | undefined {
  const { hosts } = buildConnectionSettings(monitoring.url, monitoring.options)
  return hosts.isLocal ? undefined : new PoolMonitor(pool, monitoring)
}

interface SilentStatement {
  bytesReceived: number
  seconds: number
}

/**
 * Monitors a pool over the network. When a host disappears, its connections stay open, and statements wait for about
 * 15 minutes. So an extra connection sends a probe each second in which the pool is used. All connections of the pool
 * are closed when the probe gets no answer and a new connection does, when nothing answers for 10 s, when the server is
 * a standby, and when the server of a read replica is no standby. The connection of a statement that has sent nothing
 * for 35 s is closed when no backend works on it, or when it waits for a standby that does not answer.
 */
export class PoolMonitor {
  readonly #settings: ConnectionSettings
  readonly #Client: ReturnType<typeof chooseClient>
  readonly #isReplica: boolean
  readonly #clients = new Set<pg.PoolClient>()
  readonly #silentStatements = new Map<pg.PoolClient, SilentStatement>()
  readonly #log: (message: string) => void
  /** Undefined before the first connection of the pool. */
  #timer: NodeJS.Timeout | undefined
  #probeClient: pg.Client | undefined
  /** Seconds since an unanswered probe, or since nothing answers while the probe has no connection; else undefined. */
  #probeSeconds: number | undefined
  /** Seconds since the last probe. */
  #idleSeconds = 0
  /** The bytes that all connections received up to the last second. */
  #bytesReceived = 0
  #isConnecting = false
  #isStopped = false

  constructor(pool: pg.Pool, { url, options, log }: PoolMonitoring) {
    const settings = buildConnectionSettings(url, { ...options, applicationName: 'karvon-pool-monitor' })
    this.#settings = { ...settings, connectionTimeoutMillis: connectTimeout }
    this.#Client = chooseClient(options)
    this.#isReplica = options.isReplica === true
    this.#log = log
    pool.on('connect', (client) => {
      this.#clients.add(client)
      if (!this.#isStopped) this.#timer ??= setInterval(() => this.#checkConnections(), 1000).unref()
    })
    pool.on('remove', (client) => {
      this.#clients.delete(client)
      this.#silentStatements.delete(client)
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#probeClient?.end().catch(() => {})
  }

  #checkConnections(): void {
    this.#measureSilence()
    const hasReceived = this.#hasReceived()
    const isUsed = hasReceived || this.#silentStatements.size > 0
    this.#idleSeconds += 1
    if (this.#probeClient === undefined) this.#probeSeconds = hasReceived ? 0 : (this.#probeSeconds ?? 0) + 1
    else if (this.#probeSeconds !== undefined) this.#probeSeconds += 1
    if (this.#probeClient === undefined) void this.#connectProbe(false)
    else if (this.#probeSeconds === undefined) {
      if (isUsed || this.#idleSeconds >= thresholds.idle) void this.#probe(this.#probeClient)
    } else if (this.#probeSeconds >= thresholds.suspect) void this.#connectProbe(true)
  }

  /**
   * Opens the connection of the probe. `isSuspected`: the current probe has no answer, and a new connection checks the
   * server.
   */
  async #connectProbe(isSuspected: boolean): Promise<void> {
    if ((this.#probeSeconds ?? 0) >= thresholds.unavailable) this.#closeAll('The database does not answer')
    if (this.#isConnecting) return
    this.#isConnecting = true
    const client = new this.#Client(this.#settings)
    const onLoss = () => this.#dropProbe(client)
    client.on('error', onLoss)
    client.on('end', onLoss)
    try {
      await client.connect()
      const oldClient = this.#probeClient
      // The probe was answered during this connection attempt.
      if (this.#isStopped || (isSuspected && (oldClient === undefined || this.#probeSeconds === undefined)))
        return destroyConnection(client)
      this.#probeClient = client
      this.#probeSeconds = undefined
      if (oldClient !== undefined) destroyConnection(oldClient)
      if (isSuspected) this.#closeAll('The database answers only new connections')
      // Not awaited: without an answer another connection must replace this one.
      void this.#probe(client)
    } catch (error) {
      destroyConnection(client)
      if (this.#probeClient === undefined && isAnswered(client, error)) this.#probeSeconds = undefined
    } finally {
      this.#isConnecting = false
    }
  }

  async #probe(client: pg.Client): Promise<void> {
    this.#probeSeconds = 0
    this.#idleSeconds = 0
    const silentClients = [...this.#silentStatements].filter(
      ([, { seconds }]) => seconds >= thresholds.silent,
    )
    try {
      const { rows } = await client.query<{ standby: boolean; known: boolean; busy: number[] }>(monitorSql, [
        silentClients.map(([silentClient]) => getBackendPid(silentClient)),
        getBackendPid(client),
      ])
      if (this.#probeClient !== client) return
      this.#probeSeconds = undefined
      const [row] = rows
      if (row !== undefined && row.standby !== this.#isReplica)
        this.#closeAll(
          row.standby ? 'The database is a standby' : 'The server of the read replica is no standby',
        )
      if (row?.known !== true) return
      for (const [silentClient, { bytesReceived }] of silentClients) {
        // The statement may have ended during the probe.
        const isSilent = getBytesReceived(silentClient) === bytesReceived
        if (isSilent && !row.busy.includes(getBackendPid(silentClient))) this.#close(silentClient)
      }
    } catch {
      this.#dropProbe(client)
    }
  }

  #dropProbe(client: pg.Client): void {
    if (this.#probeClient !== client) return
    this.#probeClient = undefined
    destroyConnection(client)
  }

  /** Counts the seconds in which each running statement sent nothing. */
  #measureSilence(): void {
    for (const client of this.#clients) {
      const bytesReceived = getBytesReceived(client)
      const previous = this.#silentStatements.get(client)
      if (bytesReceived === null) this.#silentStatements.delete(client)
      else if (previous?.bytesReceived === bytesReceived) previous.seconds += 1
      else this.#silentStatements.set(client, { bytesReceived, seconds: 0 })
    }
  }

  /** Whether a part of an answer arrived in the last second. */
  #hasReceived(): boolean {
    let byteCount = 0
    for (const client of this.#clients) byteCount += countBytesReceived(client)
    const hasChanged = byteCount !== this.#bytesReceived
    this.#bytesReceived = byteCount
    return hasChanged
  }

  #closeAll(reason: string): void {
    if (this.#clients.size > 0) this.#log(`${reason}: closing ${this.#clients.size} connections.`)
    for (const client of this.#clients) this.#close(client)
  }

  #close(client: pg.PoolClient): void {
    this.#clients.delete(client)
    this.#silentStatements.delete(client)
    destroyConnection(client)
  }
}

/** Whether a failed attempt to connect got an answer, such as that there are too many connections. */
const isAnswered = (client: pg.Client, error: unknown): boolean =>
  countBytesReceived(client) > 0 ||
  (error instanceof AggregateError && error.errors.some((cause) => cause instanceof pg.DatabaseError))

// A connection pooler may use its own pids. Then `known` is false and no statement is closed.
const monitorSql = `select pg_is_in_recovery() as standby,
  exists (select from pg_stat_activity where pid = $2::int) as known,
  array(select pid from pg_stat_activity
    where pid = any($1::int[]) and state = 'active' and wait_event is distinct from 'SyncRep') as busy`
