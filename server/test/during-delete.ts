import type pg from 'pg'
import { expect } from 'vitest'

/** Deletes a row in a transaction that commits as soon as `work` waits for it. Returns the result of `work`. */
export async function duringDelete<T>(
  pool: pg.Pool,
  { table, id }: { table: 'offers' | 'streams' | 'courier_accounts'; id: number },
  work: () => Promise<T>,
): Promise<T> {
  const deleter = await pool.connect()
  try {
    await deleter.query('begin')
    await deleter.query(`delete from ${table} where id = $1`, [id])
    const { rows } = await deleter.query<{ pid: number }>('select pg_backend_pid() as pid')
    const running = work()
    const countWaiting = async () => {
      const text = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))'
      return (await pool.query(text, [rows[0]?.pid])).rowCount
    }
    await expect.poll(countWaiting).toBe(1)
    await deleter.query('commit')
    return await running
  } finally {
    deleter.release()
  }
}
