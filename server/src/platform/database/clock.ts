import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from './pool.ts'

// The database's clock decides each expiry, lease and due time, so that processes need not agree on the time.

/** Seconds by which a process's clock may differ from the database's before an operator is told. */
const tolerance = 30
/** Milliseconds between two measurements. */
const every = 30_000

/** The present by the database's clock, as ISO 8601. */
export async function databaseTime(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now ?? ''
}

/** Measures by how much the process's clock differs from the database's, and logs when that becomes too much. */
export class ClockWatch {
  readonly #pool: pg.Pool
  readonly #log: FastifyBaseLogger
  readonly #timer: NodeJS.Timeout
  /** What was logged last. */
  #logged = 0
  /** Whole seconds by which the process's clock was ahead of the database's when it was measured last. */
  secondsAhead = 0

  constructor(pool: pg.Pool, log: FastifyBaseLogger) {
    this.#pool = pool
    this.#log = log
    this.#timer = setInterval(() => void this.measure(), every).unref()
  }

  /** Never fails: while the database is away, what was measured last stands. */
  async measure(): Promise<void> {
    const text = 'select extract(epoch from clock_timestamp())::float8 * 1000 as now'
    const began = Date.now()
    const found = await this.#pool.query<{ now: number }>(text).catch(() => null)
    const database = found?.rows[0]?.now
    if (database === undefined) return
    // The database's moment lies somewhere between these two.
    const [least, most] = [(began - database) / 1000, (Date.now() - database) / 1000]
    this.secondsAhead = least <= 0 && most >= 0 ? 0 : Math.round(least > 0 ? least : most)
    this.#tell()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Once for each change. */
  #tell(): void {
    const seconds = Math.abs(this.secondsAhead) > tolerance ? this.secondsAhead : 0
    if (seconds === 0 && this.#logged !== 0)
      this.#log.info('The clock of this process agrees with the database’s again')
    if (seconds !== 0 && Math.abs(seconds - this.#logged) > tolerance) {
      const which = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the database’s`
      this.#log.warn({ seconds }, `The clock of this process is ${which}: set both by NTP`)
    } else if (seconds !== 0) return
    this.#logged = seconds
  }
}
