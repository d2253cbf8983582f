import type pg from 'pg'
import { countWaitingCallers } from '../database/pool.ts'
import { AppError } from '../http/errors.ts'
import { recordRefusal } from './concurrency-limit.ts'

/** Milliseconds after a timeout of the pool in which no request may join a queue for a connection. */
const busyPeriod = 2000

export interface DatabaseLimit {
  /** Errors: 503 when `maxQueue` callers wait, or one after a timeout. */
  check(maxQueue: number): void
  reportTimeout(): void
}

/** Limits the queue for connections of the database. After a timeout of the pool, the queue takes no more for a while. */
export function createDatabaseLimit(pool: pg.Pool): DatabaseLimit {
  let busyUntil = 0
  return {
    check(maxQueue) {
      const waitingCount = countWaitingCallers(pool)
      if (waitingCount >= maxQueue || (waitingCount > 0 && performance.now() < busyUntil))
        throw recordRefusal('database', new AppError('database_overloaded', {}, { retryAfter: 1 }))
    },
    reportTimeout() {
      busyUntil = performance.now() + busyPeriod
    },
  }
}
