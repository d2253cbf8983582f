import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { PooledClient } from './connection.pooled.ts'

const callerTimeout = new AsyncLocalStorage<number>()

export const withStatementTimeout = <T>(milliseconds: number, work: () => T): T =>
  callerTimeout.run(milliseconds, work)

type Done = (error: Error | undefined, client: pg.PoolClient | undefined, release: () => void) => void

/**
 * Makes a pool set the statement timeout of the caller, or `defaultTimeout`, on each connection that it returns. A
 * connection that has this timeout is not changed.
 */
export function applyStatementTimeouts(pool: pg.Pool, defaultTimeout: number): void {
  const timeoutByClient = new WeakMap<pg.PoolClient, number>()
  const connect = pool.connect.bind(pool) as (done: Done) => void

  const connectAs = (timeout: number, done: Done) =>
    connect((error, client, release) => {
      if (client instanceof PooledClient) client.statementTimeout = timeout
      if (
        client === undefined ||
        client instanceof PooledClient ||
        (timeoutByClient.get(client) ?? defaultTimeout) === timeout
      )
        return done(error, client, release)
      client.query(`set statement_timeout to ${timeout}`, (failure: Error | null) => {
        // After a failure the next caller of this connection tries again.
        if (failure === null || failure === undefined) timeoutByClient.set(client, timeout)
        done(error, client, release)
      })
    })

  const connectWithTimeout = (done?: Done) => {
    const timeout = callerTimeout.getStore() ?? defaultTimeout
    if (done !== undefined) return connectAs(timeout, done)
    return new Promise<pg.PoolClient>((resolve, reject) => {
      connectAs(timeout, (error, client) =>
        client === undefined ? reject(error ?? new Error()) : resolve(client),
      )
    })
  }
  pool.connect = connectWithTimeout as typeof pool.connect
}
