import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../database/pg-errors.ts'
import { retryWhileUnavailable } from '../database/retry-while-unavailable.ts'
import type { Deps } from '../deps.ts'
import type { Job, JobName, WorkDelay } from '../jobs/jobs.ts'
import { decideOutcome, type DeliveryFailure } from './queue.outcome.ts'
import { leaseRow, queueWorkDelay, recordOutcome, type LeasedRow, type QueueTable } from './queue.rows.ts'

/**
 * A queue of rows in the database. Each row is leased and handled, and its outcome is stored.
 *
 * - `workDelay`: see {@link Job}. Without it, each run looks for rows.
 * - `interval`: milliseconds before the next run if a run leaves due rows. `pause`: milliseconds between two rows.
 * - `concurrency`: rows that one process handles at once.
 * - `prepare` runs at the start of each run.
 * - `lease` leases up to `limit` due rows for this process.
 * - `handle` does the work of a row and stores its outcome. `signal` aborts a few seconds after the stop signal of the
 *   process. Interrupted work may be done twice. An error ends the run.
 */
export interface Queue<Row> {
  name: JobName
  interval: number
  pause?: number
  concurrency?: number
  workDelay?: WorkDelay
  prepare?(): Promise<void>
  lease(limit: number): Promise<Row[]>
  handle(row: Row, signal: AbortSignal): Promise<void>
}

/** Milliseconds for running work after the stop signal of the process. */
const gracePeriod = 6000
/** Milliseconds between two leases while rows are handled, because other rows may become due. */
const leaseInterval = 1000

/** The job that works through a queue until nothing is due. */
export function queueJob<Row>(queue: Queue<Row>): Job {
  return {
    name: queue.name,
    interval: queue.interval,
    timeout: 600_000,
    isExclusive: false,
    ...(queue.workDelay !== undefined && { workDelay: queue.workDelay }),
    run: (signal) => drain(queue, signal),
  }
}

async function drain<Row>(queue: Queue<Row>, stopping: AbortSignal): Promise<void> {
  const { concurrency = 1, pause = 0 } = queue
  await queue.prepare?.()
  const endController = new AbortController()
  const stopSoon = () => setTimeout(() => endController.abort(), gracePeriod).unref()
  stopping.addEventListener('abort', stopSoon, { once: true })
  const running = new Set<Promise<void>>()
  const errors: unknown[] = []
  const start = (row: Row) => {
    const work = queue
      .handle(row, endController.signal)
      .catch((error: unknown) => {
        errors.push(error)
      })
      .finally(() => running.delete(work))
    running.add(work)
  }
  try {
    while (!stopping.aborted) {
      // A row that ends during the lease may make another one due, so only an idle queue ends the run.
      const wasIdle = running.size === 0
      const free = concurrency - running.size
      const rows = free > 0 ? await queue.lease(free) : []
      rows.forEach(start)
      if (wasIdle && rows.length === 0) return
      await Promise.race([...running, wait(leaseInterval, stopping)])
      if (errors.length > 0) break
      if (pause > 0) await wait(pause, stopping)
    }
  } finally {
    await Promise.all(running)
    stopping.removeEventListener('abort', stopSoon)
  }
  if (errors.length > 0) throw errors[0]
}

const wait = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { signal }).catch(() => {})

/**
 * A queue of messages in a table of the same form; see {@link Queue}. With `prepare` it runs once in each `interval`.
 */
export interface MessageQueue {
  name: JobName
  table: QueueTable
  interval: number
  pause?: number
  prepare?(): Promise<void>
  /** Delivers the message of a row. Returns null if it arrived. */
  deliver(id: number, signal: AbortSignal): Promise<DeliveryFailure | null>
}

/** The job that delivers the due messages of a queue. A kill loses no message and repeats at most one. */
export function messageQueueJob(deps: Pick<Deps, 'pool' | 'log'>, queue: MessageQueue): Job {
  const { table } = queue
  return queueJob<LeasedRow>({
    ...queue,
    ...(queue.prepare === undefined && { workDelay: queueWorkDelay(table) }),
    async lease() {
      const row = await leaseRow(deps.pool, table)
      return row === null ? [] : [row]
    },
    async handle(row, signal) {
      const failure = await deliverSafely(deps, queue, { id: row.id, signal })
      if (failure !== null) deps.log.warn({ table, id: row.id }, `A message was not sent: ${failure.reason}`)
      await retryWhileUnavailable(() =>
        recordOutcome(deps.pool, { table, row, outcome: decideOutcome(failure, row.attempts) }),
      )
    },
  })
}

/** The reason of a failure that only the log explains. */
export const unexpectedReason = 'Unexpected error; see the log of the server'

/**
 * Converts an unexpected error to a failure, so that one row does not delay the others. Throws if the database is
 * unavailable.
 */
async function deliverSafely(
  { log }: Pick<Deps, 'log'>,
  queue: MessageQueue,
  { id, signal }: { id: number; signal: AbortSignal },
): Promise<DeliveryFailure | null> {
  try {
    return await queue.deliver(id, signal)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    log.error({ err: error, table: queue.table, id }, 'A delivery failed with an unexpected error')
    return {
      kind: 'temporary',
      reason: unexpectedReason,
      mayHaveArrived: true,
    }
  }
}
