import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import { storeDatabaseTime } from './clock.estimate.ts'
import type { Db } from './pool.ts'

// The clock of the database decides each expiry, lease and due time, so the clocks of the processes may differ.

/** Seconds by which the clock of a process may differ from the database's without a log line. */
const tolerance = 30
/** Milliseconds. */
const measureInterval = 30_000

/** The current time of the database, as ISO 8601. */
export async function readDatabaseTime(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now ?? ''
}

/** Today in the time zone of the installation, as yyyy-mm-dd. */
export async function readToday(db: Db): Promise<string> {
  const { rows } = await sql<{ today: string }>`select current_date as today`.execute(db)
  return rows[0]?.today ?? ''
}

/** Measures the difference between the clock of this process and the database's, and logs a large one. */
export class ClockWatch {
  readonly #pool: pg.Pool
  readonly #log: FastifyBaseLogger
  readonly #timer: NodeJS.Timeout
  /** The difference that was logged last. */
  #logged = 0
  /** Whole seconds by which the clock of this process was ahead at the last measurement. */
  secondsAhead = 0

  constructor(pool: pg.Pool, log: FastifyBaseLogger) {
    this.#pool = pool
    this.#log = log
    this.#timer = setInterval(() => void this.measure(), measureInterval).unref()
  }

  /** Never throws. While the database is unavailable, the last measurement stays. */
  async measure(): Promise<void> {
    const text = 'select extract(epoch from clock_timestamp())::float8 * 1000 as now'
    const startedAt = Date.now()
    const result = await this.#pool.query<{ now: number }>(text).catch(() => null)
    const database = result?.rows[0]?.now
    if (database === undefined) return
    storeDatabaseTime(database)
    // The database's time lies between these two.
    const [min, max] = [(startedAt - database) / 1000, (Date.now() - database) / 1000]
    this.secondsAhead = min <= 0 && max >= 0 ? 0 : Math.round(min > 0 ? min : max)
    this.#logChange()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Logs once for each change. */
  #logChange(): void {
    const seconds = Math.abs(this.secondsAhead) > tolerance ? this.secondsAhead : 0
    if (seconds === 0 && this.#logged !== 0)
      this.#log.info('The clock of this process agrees with the database’s again')
    if (seconds !== 0 && Math.abs(seconds - this.#logged) > tolerance) {
      const difference = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the database’s`
      this.#log.warn({ seconds }, `The clock of this process is ${difference}: set both by NTP`)
    } else if (seconds !== 0) return
    this.#logged = seconds
  }
}
