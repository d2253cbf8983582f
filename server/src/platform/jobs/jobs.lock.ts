import type pg from 'pg'

/** First key of the advisory locks of jobs that run alone; the second is made from the job's name. */
const JOB_LOCK = 0x4a4f4253

interface Held {
  client: pg.PoolClient
  /** Aborts when the connection is lost, and every lock of it with it. */
  lost: AbortController
  end: () => void
}

/**
 * The locks of all jobs of this process that run alone, on one connection: each on its own would leave none for
 * their work. They are free again when they are given back, or the connection or the process ends.
 */
export class JobLocks {
  readonly #pool: pg.Pool
  readonly #names = new Set<string>()
  #held: Held | undefined
  #turn: Promise<unknown> = Promise.resolve()

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Runs `work` where no other process has the lock of that name; its signal aborts when the lock is lost. */
  async alone<T>(name: string, work: (lost: AbortSignal) => Promise<T>): Promise<T | undefined> {
    // A session may take its own lock again, so PostgreSQL would not refuse it.
    if (this.#names.has(name)) return undefined
    this.#names.add(name)
    try {
      const held = await this.#inTurn(() => this.#take(name))
      if (held === undefined) return undefined
      try {
        return await work(held.lost.signal)
      } finally {
        await this.#inTurn(() => this.#giveBack(held, name))
      }
    } finally {
      this.#names.delete(name)
    }
  }

  /** Gives the connection back. Call it once no job runs. */
  async close(): Promise<void> {
    await this.#inTurn(async () => this.#drop(false))
  }

  async #take(name: string): Promise<Held | undefined> {
    const held = (this.#held ??= await this.#connect())
    try {
      const text = 'select pg_try_advisory_lock($1, hashtext($2)) as free'
      const { rows } = await held.client.query<{ free: boolean }>(text, [JOB_LOCK, name])
      return rows[0]?.free === true ? held : undefined
    } catch (error) {
      // Whether it was taken is not known.
      if (this.#held === held) this.#drop(true)
      throw error
    }
  }

  async #giveBack(held: Held, name: string): Promise<void> {
    if (this.#held !== held) return
    try {
      await held.client.query('select pg_advisory_unlock($1, hashtext($2))', [JOB_LOCK, name])
    } catch {
      if (this.#held === held) this.#drop(true)
    }
  }

  async #connect(): Promise<Held> {
    const client = await this.#pool.connect()
    const lost = new AbortController()
    const end = () => {
      if (this.#held?.client === client) this.#drop(true)
    }
    client.once('end', end)
    return { client, lost, end }
  }

  #drop(broken: boolean): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    held.client.off('end', held.end)
    if (broken) held.lost.abort()
    held.client.release(broken)
  }

  /** One statement after the other: a connection carries one at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }
}
