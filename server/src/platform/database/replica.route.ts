import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

const readSource = new AsyncLocalStorage<{ isReplica: boolean }>()

/** Runs `work` with the connections of the replica. Promises that outlive `work` use the primary. */
export async function withReplica<T>(work: () => Promise<T>): Promise<T> {
  const source = { isReplica: true }
  try {
    return await readSource.run(source, work)
  } finally {
    source.isReplica = false
  }
}

/** Makes a pool return connections of the replica inside `withReplica`. */
export function routeReads(pool: pg.Pool, replica: pg.Pool): void {
  type Connect = (...args: unknown[]) => unknown
  const connect = pool.connect.bind(pool) as Connect
  const connectReplica = replica.connect.bind(replica) as Connect
  const connectRouted: Connect = (...args) =>
    readSource.getStore()?.isReplica === true ? connectReplica(...args) : connect(...args)
  pool.connect = connectRouted as typeof pool.connect
}
