import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

const ofCaller = new AsyncLocalStorage<number>()

/** Runs `work` so that PostgreSQL ends its statements after so many milliseconds. */
export const withStatementTimeout = <T>(milliseconds: number, work: () => T): T =>
  ofCaller.run(milliseconds, work)

type Done = (error: Error | undefined, client: pg.PoolClient | undefined, release: () => void) => void

/**
 * Gives each connection that a pool hands out the statement timeout of whoever asks for it, `usual` where they have
 * none. A connection that has it already is handed out as it is.
 */
export function applyStatementTimeouts(pool: pg.Pool, usual: number): void {
  const set = new WeakMap<pg.PoolClient, number>()
  const connect = pool.connect.bind(pool) as (done: Done) => void

  const connectAs = (wanted: number, done: Done) =>
    connect((error, client, release) => {
      if (client === undefined || (set.get(client) ?? usual) === wanted) return done(error, client, release)
      client.query(`set statement_timeout to ${wanted}`, (failure: Error | null) => {
        // Whoever asks next with the same connection tries again.
        if (failure === null || failure === undefined) set.set(client, wanted)
        done(error, client, release)
      })
    })

  const replaced = (done?: Done) => {
    const wanted = ofCaller.getStore() ?? usual
    if (done !== undefined) return connectAs(wanted, done)
    return new Promise<pg.PoolClient>((resolve, reject) => {
      connectAs(wanted, (error, client) =>
        client === undefined ? reject(error ?? new Error()) : resolve(client),
      )
    })
  }
  pool.connect = replaced as typeof pool.connect
}
