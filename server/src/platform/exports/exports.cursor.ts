import type pg from 'pg'
import { findReadPool } from '../database/replica.route.ts'
import { AppError } from '../http/errors.ts'
import type { Statement } from './exports.rows.ts'

/** Rows of one fetch: few, so that other requests do not wait, and enough that the round trips cost little. */
const fetchRows = 200

/** Milliseconds for one fetch. The first one may sort all rows. */
const fetchTimeout = 120_000

interface CursorOwner {
  /** The reason of an abort is its error, or null if the reader disconnected. */
  abort: AbortController
  /** Called once, when the connection is free again. */
  onClosed: () => void
}

/**
 * A cursor of the database on its own connection, with one snapshot for all rows. The connection returns to the pool
 * after the last row. `abort` cancels the query. It also aborts when the connection is lost, or when PostgreSQL closes
 * the connection because nothing was read for a minute.
 */
export class ExportCursor {
  readonly #pool: pg.Pool
  readonly #client: pg.PoolClient
  readonly #abort: AbortController
  readonly #onClosed: () => void
  #pid = 0
  #isOpen = true
  #isFullyRead = false
  /** The day of the query, yyyy-mm-dd in the installation's zone. */
  today = ''

  private constructor(pool: pg.Pool, client: pg.PoolClient, { abort, onClosed }: CursorOwner) {
    this.#pool = pool
    this.#client = client
    this.#abort = abort
    this.#onClosed = onClosed
    client.on('error', this.#onLost)
    abort.signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Errors: those of the database. */
  static async open(
    pool: pg.Pool,
    { statement, abort, onClosed }: CursorOwner & { statement: Statement },
  ): Promise<ExportCursor> {
    // A process id of the standby would cancel the statement of another process on the primary.
    const readPool = findReadPool(pool)
    const cursor = new ExportCursor(readPool, await readPool.connect(), { abort, onClosed })
    await cursor.#declare(statement)
    return cursor
  }

  async #declare({ text, values }: Statement): Promise<void> {
    if (this.#abort.signal.aborted) this.#onAbort()
    await this.#runIfOpen(async (client) => {
      // By default PostgreSQL plans a cursor for its first rows. This one reads all.
      await client.query(
        `begin read only; set local statement_timeout = ${fetchTimeout}; set local cursor_tuple_fraction = 1`,
      )
      const sessionSql = 'select pg_backend_pid() as pid, current_date as today'
      const { rows } = await client.query<{ pid: number; today: string }>(sessionSql)
      this.#pid = rows[0]?.pid ?? 0
      this.today = rows[0]?.today ?? ''
      await client.query(`declare export_rows no scroll cursor for ${text}`, values)
    })
  }

  /** The next rows; empty at the end. Errors: those of the database, and the reason of the abort. */
  async next(): Promise<string[]> {
    if (this.#isFullyRead) return []
    return this.#runIfOpen(async (client) => {
      const rows = await fetchNextRows(client)
      if (rows.length < fetchRows) {
        await client.query('commit')
        this.#isFullyRead = true
        this.#close(false)
      }
      return rows
    })
  }

  async #runIfOpen<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (!this.#isOpen) throw this.#getEndReason() ?? new AppError('export_ended')
    try {
      return await work(this.#client)
    } catch (error) {
      this.#close(true)
      // The driver reports an aborted statement as a lost connection.
      throw this.#getEndReason() ?? error
    }
  }

  /** Undefined while the export is not aborted. Nobody reads the error after a disconnection, so it is not logged. */
  #getEndReason(): Error | undefined {
    const { signal } = this.#abort
    if (!signal.aborted) return undefined
    return signal.reason instanceof Error ? signal.reason : new AppError('connection_ended')
  }

  readonly #onLost = (error: Error) => this.#abort.abort(error)

  /** Cancels a running query, because a backend does not notice that its client has disconnected. */
  readonly #onAbort = () => {
    if (!this.#isOpen) return
    this.#close(true)
    if (this.#pid !== 0) this.#pool.query('select pg_cancel_backend($1)', [this.#pid]).catch(() => {})
  }

  #close(isBroken: boolean): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#abort.signal.removeEventListener('abort', this.#onAbort)
    // A broken connection may still report errors; its listener stays.
    if (!isBroken) this.#client.off('error', this.#onLost)
    this.#client.release(isBroken)
    this.#onClosed()
  }
}

/**
 * Uses a callback, because the driver's promise would keep the rows in memory until the next full garbage collection.
 */
function fetchNextRows(client: pg.PoolClient): Promise<string[]> {
  return new Promise((resolve, reject) => {
    client.query<{ item: string }>(`fetch ${fetchRows} from export_rows`, (error: Error | null, result) => {
      if (error) reject(error)
      else resolve(result.rows.map(({ item }) => item))
    })
  })
}
