import { AsyncResource } from 'node:async_hooks'
import type pg from 'pg'
import { Histogram, type Registry } from 'prom-client'

type Connect = (done?: (...result: unknown[]) => void) => Promise<pg.PoolClient> | undefined

/** Measures how long calls and jobs wait for a connection of the pool, including waits that fail. */
export function measureConnectionWaits(pool: pg.Pool, registry: Registry): void {
  const waits = new Histogram({
    name: 'database_connection_wait_seconds',
    help: 'Time that calls and jobs wait for a connection of the pool, including waits that fail',
    buckets: [0.001, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  })
  const connect = pool.connect.bind(pool) as Connect
  const connectMeasured: Connect = (done) => {
    const observe = waits.startTimer()
    if (done === undefined) return connect()?.finally(observe)
    // Else it ran in the context of the caller that releases the connection.
    const doneInContext = AsyncResource.bind(done)
    return connect((...result) => {
      observe()
      doneInContext(...result)
    })
  }
  pool.connect = connectMeasured as typeof pool.connect
}
