import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { Counter, Gauge, type Registry } from 'prom-client'
import { isDatabaseUnavailable } from './pg-errors.ts'
import { LagSamples } from './replica.lag.ts'
import { routeReads } from './replica.route.ts'
import { readPositions, readReplayedPosition, storePosition } from './replica.positions.queries.ts'

/** Milliseconds for which a standby is not used after a failure. */
const pause = 2000

interface ReplicaOptions {
  primary: pg.Pool
  replica: pg.Pool
  /** Milliseconds. */
  maxLag: number
  log: FastifyBaseLogger
  metrics: Registry
}

/**
 * Decides whether a person may read on the standby: it must have replayed what this person wrote or saw on the primary
 * and what admins wrote, and be at most `maxLag` behind. Positions are bytes of the write-ahead log.
 */
export class ReadReplica {
  readonly #options: ReplicaOptions
  readonly #lag: LagSamples
  readonly #reads: Counter
  /** The position that the standby has replayed at least. */
  #replayed = 0
  #measurement: Promise<void> | undefined
  #pausedUntil = 0

  constructor(options: ReplicaOptions) {
    this.#options = options
    routeReads(options.primary, options.replica)
    // A new connection may lead to another server.
    options.replica.on('connect', () => (this.#replayed = 0))
    this.#lag = new LagSamples(options.maxLag)
    this.#reads = new Counter({
      name: 'database_reads_total',
      help: 'Calls of people that read, by the database that answered: replica, primary, or primary after the replica failed',
      labelNames: ['source'],
      registers: [options.metrics],
    })
    const lag: Gauge = new Gauge({
      name: 'database_replica_lag_seconds',
      help: 'How far the read replica is behind the primary, as of the last read',
      registers: [options.metrics],
      collect: () => lag.set(this.#lag.measureLag(this.#replayed) / 1000),
    })
  }

  /** Errors: those of the primary. A standby that fails is not used for 2 s. */
  async canServe(userId: number): Promise<boolean> {
    const canServe = await this.#canServe(userId)
    this.#reads.inc({ source: canServe ? 'replica' : 'primary' })
    return canServe
  }

  async #canServe(userId: number): Promise<boolean> {
    if (performance.now() < this.#pausedUntil) return false
    const { current, required } = await readPositions(this.#options.primary, userId)
    const now = performance.now()
    this.#lag.add(current, now)
    const neededPosition = Math.max(required ?? current, this.#lag.findBound(now))
    if (this.#replayed < neededPosition) await this.#measure()
    return this.#replayed >= neededPosition && performance.now() >= this.#pausedUntil
  }

  /** Concurrent callers share a measurement only if it began after their call. */
  async #measure(): Promise<void> {
    await this.#measurement
    this.#measurement ??= this.#readReplayed().finally(() => (this.#measurement = undefined))
    await this.#measurement
  }

  async #readReplayed(): Promise<void> {
    try {
      const replayedPosition = await readReplayedPosition(this.#options.replica)
      if (replayedPosition === null) throw new Error('The server is no standby')
      this.#replayed = replayedPosition
    } catch (error) {
      this.#pause(error)
    }
  }

  /** Whether a call failed because of the standby, so that the primary can answer it. */
  isFailure(error: unknown): boolean {
    return (
      isDatabaseUnavailable(error) ||
      (error instanceof pg.DatabaseError && conflictCodes.has(error.code ?? ''))
    )
  }

  /**
   * Records a call that failed on the standby. A conflict ends one statement; after another failure the standby is
   * paused.
   */
  recordFailure(error: unknown, callId: string): void {
    this.#reads.inc({ source: 'primary after replica' })
    this.#options.log.warn(
      { err: error, call: callId },
      'A call failed on the read replica and runs on the primary',
    )
    if (isDatabaseUnavailable(error)) this.#pause(error)
  }

  /** Call this after a call on the primary: later calls of this person, or of everybody, see at least its state. */
  async storePosition(userId: number, isForEverybody: boolean): Promise<void> {
    await storePosition(this.#options.primary, userId, isForEverybody)
  }

  #pause(error: unknown): void {
    const now = performance.now()
    if (now >= this.#pausedUntil)
      this.#options.log.warn({ err: error }, 'The read replica is not used for 2 s')
    this.#pausedUntil = now + pause
  }
}

/** The replay of the write-ahead log cancels statements that read what it removes. */
const conflictCodes = new Set(['40001', '40P01'])
