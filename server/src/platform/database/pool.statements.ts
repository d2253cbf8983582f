import { AsyncResource } from 'node:async_hooks'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { LogSampling } from '../http/log-sampling.ts'

/** Called with the text of each statement when it is sent. Returns a function that is called when it has ended. */
export type StatementObserver = (text: string) => (error?: unknown) => void

type Query = (...args: unknown[]) => unknown

/** Reports each statement of a connection to all observers. A statement whose result is a stream is not reported. */
export function observeStatements(client: pg.Client, observers: readonly StatementObserver[]): void {
  if (observers.length === 0) return
  const query = client.query.bind(client) as Query
  const observedQuery: Query = (config, ...furtherArguments) => {
    const text = typeof config === 'string' ? config : (config as { text?: unknown }).text
    if (typeof text !== 'string') return query(config, ...furtherArguments)
    const ends = observers.map((observe) => observe(text))
    const end = (error?: unknown) => ends.forEach((endStatement) => endStatement(error))
    const last = furtherArguments.at(-1)
    if (typeof last === 'function') {
      const callback = (error: unknown, result: unknown) => {
        end(error)
        Reflect.apply(last, undefined, [error, result])
      }
      return query(config, ...furtherArguments.slice(0, -1), callback)
    }
    const result = query(config, ...furtherArguments)
    if (result instanceof Promise) result.then(() => end(), end)
    return result
  }
  client.query = observedQuery as typeof client.query
}

/**
 * Makes a pool return connections in the async context of the caller, which observers may read. Without it, a caller
 * that waited gets its connection in the context of the caller that released it.
 */
export function keepCallerContext(pool: pg.Pool): void {
  type Connect = (done?: (...result: unknown[]) => void) => unknown
  const connect = pool.connect.bind(pool) as Connect
  const connectInContext: Connect = (done) => connect(done && AsyncResource.bind(done))
  pool.connect = connectInContext as typeof pool.connect
}

/** Characters of a statement that are logged. */
const maxShownLength = 1000

/** The beginning of a statement without its literals, which may be personal data. Parameters are not in the text. */
export const describeStatement = (text: string): string =>
  text
    .replaceAll(/'(?:[^']|'')*'/g, `'…'`)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maxShownLength)

/** Logs statements that take `milliseconds` or longer. Equal statements are logged once in ten seconds. */
export function logSlowStatements(log: FastifyBaseLogger, milliseconds: number): StatementObserver {
  const sampling = new LogSampling()
  return (text) => {
    const startedAt = performance.now()
    return () => {
      const ms = Math.round(performance.now() - startedAt)
      if (ms < milliseconds) return
      const statement = describeStatement(text)
      sampling.log(log, {
        level: 'warn',
        kind: statement,
        fields: { ms, statement },
        message: 'Slow statement',
      })
    }
  }
}
