// Serves the product as a process of its own until it is killed. The database's address is the argument; settings come
// from the environment. Prints its address. A request with the header x-die kills it at its first commit: `before`
// PostgreSQL hears of it, or `after` it has answered.
import pg from 'pg'
import { testKey } from './app.ts'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'

type Send = (this: pg.Client, ...args: unknown[]) => unknown
let point: unknown
const die = () => process.kill(process.pid, 'SIGKILL')

const { query } = pg.Client.prototype as unknown as { query: Send }
const watched: Send = function watched(...args) {
  const [first] = args
  const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text
  if (point === undefined || text?.toLowerCase() !== 'commit') return query.apply(this, args)
  if (point === 'before') die()
  return Promise.resolve(query.apply(this, args)).then(die)
}
Object.assign(pg.Client.prototype, { query: watched })

const [url = ''] = process.argv.slice(2)
const deps = await openDeps(readConfig(process.env), url, { keys: [testKey] }, openLog('silent'))
const app = await buildApp(deps)
app.server.prependListener('request', ({ headers }) => {
  point = headers['x-die']
})
process.stdin.once('end', () => process.exit()).resume()
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
