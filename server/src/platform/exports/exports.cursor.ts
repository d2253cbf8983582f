import type pg from 'pg'
import { AppError } from '../http/errors.ts'
import type { Statement } from './exports.rows.ts'

/** Rows of one step: few enough that no request waits for them, enough that the way there does not count. */
const step = 200

/** Milliseconds for one step; the first may have to sort everything. */
const stepTimeout = 120_000

/**
 * A statement's rows, read step by step on a connection of its own, all as they stand when it is opened.
 * The connection is given back at the end; where `ended` is aborted before, the query is ended with it.
 * A lost connection, or one that PostgreSQL ends since nobody reads on for a minute, aborts `ended`.
 */
export class Cursor {
  readonly #pool: pg.Pool
  readonly #client: pg.PoolClient
  readonly #ended: AbortController
  readonly #closed: () => void
  #pid = 0
  #open = true
  #read = false
  /** yyyy-mm-dd in the installation's zone. */
  today = ''

  private constructor(pool: pg.Pool, client: pg.PoolClient, ended: AbortController, closed: () => void) {
    this.#pool = pool
    this.#client = client
    this.#ended = ended
    this.#closed = closed
    client.on('error', this.#lost)
    ended.signal.addEventListener('abort', this.#abandon, { once: true })
  }

  /** Errors: the database's own. `closed` is called once, when the connection is given back. */
  static async open(
    pool: pg.Pool,
    statement: Statement,
    ended: AbortController,
    closed: () => void,
  ): Promise<Cursor> {
    const cursor = new Cursor(pool, await pool.connect(), ended, closed)
    await cursor.#declare(statement)
    return cursor
  }

  async #declare({ text, values }: Statement): Promise<void> {
    if (this.#ended.signal.aborted) this.#abandon()
    await this.#guarded(async (client) => {
      // Planned for all rows and not, as usual, for the first of them.
      await client.query(
        `begin read only; set local statement_timeout = ${stepTimeout}; set local cursor_tuple_fraction = 1`,
      )
      const about = 'select pg_backend_pid() as pid, current_date as today'
      const { rows } = await client.query<{ pid: number; today: string }>(about)
      this.#pid = rows[0]?.pid ?? 0
      this.today = rows[0]?.today ?? ''
      await client.query(`declare export_rows no scroll cursor for ${text}`, values)
    })
  }

  /** The next rows; none at the end. Errors: the database's own, and that the cursor is closed. */
  async next(): Promise<string[]> {
    if (this.#read) return []
    return this.#guarded(async (client) => {
      const rows = await fetched(client)
      if (rows.length < step) {
        await client.query('commit')
        this.#read = true
        this.#close(false)
      }
      return rows
    })
  }

  async #guarded<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (!this.#open) throw new AppError('unavailable', 'The export has been ended.')
    try {
      return await work(this.#client)
    } catch (error) {
      this.#close(true)
      throw error
    }
  }

  readonly #lost = (error: Error) => this.#ended.abort(error)

  /** Whatever runs is told to stop: a backend does not notice by itself that its client is gone. */
  readonly #abandon = () => {
    if (!this.#open) return
    this.#close(true)
    if (this.#pid !== 0) this.#pool.query('select pg_cancel_backend($1)', [this.#pid]).catch(() => {})
  }

  #close(broken: boolean): void {
    if (!this.#open) return
    this.#open = false
    this.#ended.signal.removeEventListener('abort', this.#abandon)
    // A connection that is ended may still report how; nobody needs to know.
    if (!broken) this.#client.off('error', this.#lost)
    this.#client.release(broken)
    this.#closed()
  }
}

/** Asked with a callback: the driver's promise would keep every step's rows until the next full collection. */
function fetched(client: pg.PoolClient): Promise<string[]> {
  return new Promise((resolve, reject) => {
    client.query<{ item: string }>(`fetch ${step} from export_rows`, (error: Error | null, result) => {
      if (error) reject(error)
      else resolve(result.rows.map(({ item }) => item))
    })
  })
}
