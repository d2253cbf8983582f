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
    const startedAt = performance.now()
    const observe = () => waits.observe((performance.now() - startedAt) / 1000)
    if (done === undefined) return connect()?.finally(observe)
    return connect((...result) => {
      observe()
      done(...result)
    })
  }
  pool.connect = connectMeasured as typeof pool.connect
}
