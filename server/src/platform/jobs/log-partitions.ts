import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { isLockTimeout } from '../database/pg-errors.ts'
import type { Db } from '../database/pool.ts'
import { withStatementTimeout } from '../database/statement-timeout.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Job } from './jobs.ts'

/**
 * A log with a partition for each month or year in UTC, which is dropped as a whole. `days`: how long each row stays at
 * least; for ever without it.
 */
export interface PartitionedLog {
  table: string
  unit: 'month' | 'year'
  days?: number
}

/** Partitions that exist before their rows arrive. */
const partitionsAhead = { month: 3, year: 1 }
/** Milliseconds. Calls wait behind a statement that waits for the lock of the log. Less than `deadlock_timeout`. */
const lockTimeout = 500
const defaultPause = 5000
const maxAttempts = 5
/** Milliseconds. A drop of a partition first counts its rows. */
const statementTimeout = 600_000
const runInterval = 300_000

/**
 * A job that creates the next partitions of a log, and drops those whose rows are all older than `days`. A run fails
 * if it does not get the lock of the log, and the next run continues. `pause`: milliseconds between two attempts.
 */
export const logPartitionsJob = (
  db: Db,
  { table, unit, days }: PartitionedLog,
  pause: number = defaultPause,
): Job => ({
  name: `${table}-partitions`,
  interval: runInterval,
  timeout: 1_200_000,
  isExclusive: true,
  async run(signal) {
    const waitForNextAttempt = () => sleep(pause, undefined, { signal })
    const creation = sql`select create_log_partitions(${table}, ${unit}, ${partitionsAhead[unit]})`
    await changePartitions(db, creation, waitForNextAttempt)
    if (days === undefined) return
    await changePartitions(db, sql`select drop_log_partitions(${table}, ${days})`, waitForNextAttempt)
  },
})

async function changePartitions(
  db: Db,
  statement: RawBuilder<unknown>,
  waitForNextAttempt: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withStatementTimeout(statementTimeout, () =>
        inTransaction(db, async (trx) => {
          await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(trx)
          await statement.execute(trx)
        }),
      )
    } catch (error) {
      if (!isLockTimeout(error) || attempt === maxAttempts) throw error
      await waitForNextAttempt()
    }
  }
}
