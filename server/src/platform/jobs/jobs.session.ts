import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { lockGroups } from '../database/lock-keys.ts'

/** On this channel triggers of the database send the names of jobs that have work. */
const jobsChannel = 'karvon_jobs'
/** Milliseconds before another attempt to connect. */
const connectPause = 1000

interface SessionConnection {
  client: pg.PoolClient
  /** Aborts when the connection, and so every lock on it, is lost. */
  loss: AbortController
  end: () => void
}

/**
 * The advisory locks of all exclusive jobs of this process, and the notifications of all jobs, on one connection: one
 * connection for each lock would leave none for the work of the jobs. A lock is free after its release, or when the
 * connection or the process ends.
 */
export class JobSession {
  readonly #pool: pg.Pool
  readonly #onNotification: (payload: string) => void
  readonly #onConnect: () => void
  readonly #names = new Set<string>()
  #held: SessionConnection | undefined
  #lastStatement: Promise<unknown> = Promise.resolve()

  constructor(
    pool: pg.Pool,
    { onNotification, onConnect }: { onNotification: (payload: string) => void; onConnect: () => void },
  ) {
    this.#pool = pool
    this.#onNotification = onNotification
    this.#onConnect = onConnect
  }

  /** Receives notifications until `stopping` aborts, and connects again whenever the connection is lost. */
  async listen(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      try {
        const { loss } = await this.#runInOrder(() => this.#getConnection())
        const endSignal = AbortSignal.any([loss.signal, stopping])
        if (!endSignal.aborted) await once(endSignal, 'abort')
      } catch {
        await sleep(connectPause, undefined, { signal: stopping }).catch(() => {})
      }
    }
  }

  /** Runs `work`, unless another run has the lock of that name. The signal aborts when the lock is lost. */
  async runAlone<T>(name: string, work: (lost: AbortSignal) => Promise<T>): Promise<T | undefined> {
    // PostgreSQL lets a session take its own lock again, so the names are checked here.
    if (this.#names.has(name)) return undefined
    this.#names.add(name)
    try {
      const connection = await this.#runInOrder(() => this.#tryLock(name))
      if (connection === undefined) return undefined
      try {
        return await work(connection.loss.signal)
      } finally {
        await this.#runInOrder(() => this.#unlock(connection, name))
      }
    } finally {
      this.#names.delete(name)
    }
  }

  /** Ends the connection. Call this after all jobs and `listen` have ended. */
  async close(): Promise<void> {
    await this.#runInOrder(async () => this.#releaseConnection())
  }

  async #tryLock(name: string): Promise<SessionConnection | undefined> {
    const connection = await this.#getConnection()
    try {
      const text = 'select pg_try_advisory_lock($1, hashtext($2)) as is_free'
      const { rows } = await connection.client.query<{ is_free: boolean }>(text, [lockGroups.jobs, name])
      return rows[0]?.is_free === true ? connection : undefined
    } catch (error) {
      // The answer is lost, so this session may have the lock. Its end frees it.
      if (this.#held === connection) this.#releaseConnection()
      throw error
    }
  }

  async #unlock(connection: SessionConnection, name: string): Promise<void> {
    if (this.#held !== connection) return
    try {
      await connection.client.query('select pg_advisory_unlock($1, hashtext($2))', [lockGroups.jobs, name])
    } catch {
      if (this.#held === connection) this.#releaseConnection()
    }
  }

  async #getConnection(): Promise<SessionConnection> {
    if (this.#held !== undefined) return this.#held
    const client = await this.#pool.connect()
    try {
      client.on('notification', ({ payload = '' }) => this.#onNotification(payload))
      await client.query(`listen ${jobsChannel}`)
    } catch (error) {
      client.release(true)
      throw error
    }
    const end = () => {
      if (this.#held?.client === client) this.#releaseConnection()
    }
    client.once('end', end)
    this.#held = { client, loss: new AbortController(), end }
    this.#onConnect()
    return this.#held
  }

  #releaseConnection(): void {
    const connection = this.#held
    if (connection === undefined) return
    this.#held = undefined
    connection.client.off('end', connection.end)
    connection.loss.abort()
    connection.client.release(true)
  }

  /** A connection runs one statement at a time. */
  #runInOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastStatement.then(work)
    this.#lastStatement = result.catch(() => {})
    return result
  }
}
