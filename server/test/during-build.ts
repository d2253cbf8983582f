import type pg from 'pg'
import { expect } from 'vitest'

interface BlockedBuild {
  /** The build waits for its lock of this table. */
  table: string
  /** The lock that holds the build back. */
  lock: 'share' | 'access exclusive'
  build: () => Promise<unknown>
  /** Runs with the pid of the build's backend. */
  work: (pid: number) => Promise<unknown>
}

/** Starts a build, and runs `work` while it waits for a table. Answers how the build ended. */
export async function duringBuild(
  pool: pg.Pool,
  { table, lock, build, work }: BlockedBuild,
): Promise<'built' | 'failed'> {
  const blocker = await pool.connect()
  try {
    await blocker.query(`begin; lock table ${table} in ${lock} mode`)
    const building = build().then(
      () => 'built' as const,
      () => 'failed' as const,
    )
    const findWaiting = async () => {
      const { rows } = await pool.query<{ pid: number }>(
        `select pid from pg_locks where relation = '${table}'::regclass and not granted
          and database = (select oid from pg_database where datname = current_database())`,
      )
      return rows[0]?.pid
    }
    await expect.poll(findWaiting).toBeTypeOf('number')
    await work((await findWaiting()) ?? 0)
    await blocker.query('commit')
    return await building
  } finally {
    blocker.release()
  }
}
