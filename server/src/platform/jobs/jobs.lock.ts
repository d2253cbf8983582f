import type pg from 'pg'

/** First key of the advisory locks of exclusive jobs. The second key is the hash of the job's name. */
const JOB_LOCK = 0x4a4f4253

interface LockConnection {
  client: pg.PoolClient
  /** Aborts when the connection, and so every lock on it, is lost. */
  lost: AbortController
  end: () => void
}

/**
 * The advisory locks of all exclusive jobs of this process, on one connection: one connection for each lock would leave
 * none for their work. A lock is free after its release, or when the connection or the process ends.
 */
export class JobLocks {
  readonly #pool: pg.Pool
  readonly #names = new Set<string>()
  #held: LockConnection | undefined
  #lastStatement: Promise<unknown> = Promise.resolve()

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Runs `work`, unless another process has the lock of that name. The signal aborts when the lock is lost. */
  async runAlone<T>(name: string, work: (lost: AbortSignal) => Promise<T>): Promise<T | undefined> {
    // PostgreSQL lets a session take its own lock again, so the names are checked here.
    if (this.#names.has(name)) return undefined
    this.#names.add(name)
    try {
      const connection = await this.#runInOrder(() => this.#tryLock(name))
      if (connection === undefined) return undefined
      try {
        return await work(connection.lost.signal)
      } finally {
        await this.#runInOrder(() => this.#unlock(connection, name))
      }
    } finally {
      this.#names.delete(name)
    }
  }

  /** Returns the connection to the pool. Call this after all jobs have ended. */
  async close(): Promise<void> {
    await this.#runInOrder(async () => this.#releaseConnection(false))
  }

  async #tryLock(name: string): Promise<LockConnection | undefined> {
    const connection = (this.#held ??= await this.#connect())
    try {
      const text = 'select pg_try_advisory_lock($1, hashtext($2)) as free'
      const { rows } = await connection.client.query<{ free: boolean }>(text, [JOB_LOCK, name])
      return rows[0]?.free === true ? connection : undefined
    } catch (error) {
      // The lock may be taken: the answer is lost.
      if (this.#held === connection) this.#releaseConnection(true)
      throw error
    }
  }

  async #unlock(connection: LockConnection, name: string): Promise<void> {
    if (this.#held !== connection) return
    try {
      await connection.client.query('select pg_advisory_unlock($1, hashtext($2))', [JOB_LOCK, name])
    } catch {
      if (this.#held === connection) this.#releaseConnection(true)
    }
  }

  async #connect(): Promise<LockConnection> {
    const client = await this.#pool.connect()
    const lost = new AbortController()
    const end = () => {
      if (this.#held?.client === client) this.#releaseConnection(true)
    }
    client.once('end', end)
    return { client, lost, end }
  }

  #releaseConnection(broken: boolean): void {
    const connection = this.#held
    if (connection === undefined) return
    this.#held = undefined
    connection.client.off('end', connection.end)
    if (broken) connection.lost.abort()
    connection.client.release(broken)
  }

  /** A connection runs one statement at a time. */
  #runInOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#lastStatement.then(work)
    this.#lastStatement = done.catch(() => {})
    return done
  }
}
