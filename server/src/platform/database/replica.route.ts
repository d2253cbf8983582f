import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

const readSource = new AsyncLocalStorage<{ isReplica: boolean }>()
const replicas = new WeakMap<pg.Pool, pg.Pool>()

/** Runs `work` with the connections of the replica. Promises that outlive `work` use the primary. */
export async function withReplica<T>(work: () => Promise<T>): Promise<T> {
  const source = { isReplica: true }
  try {
    return await readSource.run(source, work)
  } finally {
    source.isReplica = false
  }
}

/** Runs `work` with the connections of the primary, also inside `withReplica`. */
export const withPrimary = <T>(work: () => Promise<T>): Promise<T> =>
  readSource.run({ isReplica: false }, work)

/** The pool of the server whose connections a pool returns now: that of the replica inside `withReplica`. */
export const findReadPool = (pool: pg.Pool): pg.Pool =>
  readSource.getStore()?.isReplica === true ? (replicas.get(pool) ?? pool) : pool

/** Makes a pool return connections of the replica inside `withReplica`. */
export function routeReads(pool: pg.Pool, replica: pg.Pool): void {
  type Connect = (...args: unknown[]) => unknown
  const connect = pool.connect.bind(pool) as Connect
  const connectReplica = replica.connect.bind(replica) as Connect
  const connectRouted: Connect = (...args) =>
    findReadPool(pool) === pool ? connect(...args) : connectReplica(...args)
  replicas.set(pool, replica)
  pool.connect = connectRouted as typeof pool.connect
}
